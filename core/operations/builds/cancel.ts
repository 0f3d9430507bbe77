import { merge } from '../../commands/batch.js';
import { changeBuild, freeAgents, holdingAgentIds } from '../../commands/build-changes.js';
import { type ApiError, errors } from '../../errors/index.js';
import { cancelBuild, isBlocked, isCancelable, isFinished } from '../../machines/index.js';
import type { Row } from '../../model/index.js';
import { Build } from '../../representations/build.js';
import { command } from '../contract/operation.js';
import { loadCreator, renderBuildWithPipeline } from './render-build.js';

export const cancel = command({
  id: 'builds.cancel',
  summary: 'Cancel a build',
  description: 'Builds that are scheduled, running or failing can be canceled.',
  method: 'PUT',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}/cancel',
  scope: 'write_builds',
  status: 200,
  reply: Build,
  errors: ['build.not_cancelable.finished', 'build.not_cancelable.canceling', 'build.not_cancelable.blocked'],
  command: {
    async load({ records, reader }) {
      const holders = holdingAgentIds(records.build.jobs);
      return {
        build: records.build,
        agents: holders.length > 0 ? await reader.load('agent.inOrganization', holders) : [],
      };
    },
    decide({ build, agents }, { now, rules, caller }) {
      if (!isCancelable(build.state)) return notCancelable(build.state);
      const before = { build, jobs: build.jobs };
      const after = cancelBuild(before, rules.cancellation, `Canceled by ${caller?.user.name ?? 'the host'}`, now);
      return {
        batch: merge(changeBuild(before, after, now), freeAgents(agents, after.jobs, now)),
        reply: { ...build, ...after.build, jobs: after.jobs },
      };
    },
  },
  render: (build, context) => renderBuildWithPipeline(build, loadCreator(build, context), context.records, context),
});

/** Why a build in a state that allows no cancel cannot be canceled (decisions 7). */
function notCancelable(state: Row<'build'>['state']): ApiError {
  if (isBlocked(state)) return errors.buildBlocked();
  return isFinished(state) ? errors.buildFinished() : errors.buildCanceling();
}
