import { countBuildIds, loadNewBuildRecords, newBuild } from '../../commands/new-build.js';
import { Build } from '../../representations/build.js';
import { command } from '../contract/operation.js';
import { renderBuildWithPipeline } from './render-build.js';

/** Copies all but the meta-data; the creator is who asks (decisions 7). */
export const rebuild = command({
  id: 'builds.rebuild',
  summary: 'Rebuild a build',
  description: 'Starts a new build of the same commit, whatever the state of the original.',
  method: 'PUT',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}/rebuild',
  scope: 'write_builds',
  status: 200,
  reply: Build,
  command: {
    load: async ({ records, ...context }) => ({
      original: records.build,
      site: await loadNewBuildRecords(records.pipeline, records.build.branch, context),
    }),
    ids: ({ site: loaded }) => countBuildIds(loaded),
    decide({ original, site: loaded }, context) {
      const { batch, made } = newBuild(
        loaded,
        {
          commit: original.commit,
          branch: original.branch,
          message: original.message,
          env: original.env,
          meta_data: {},
          author: original.author,
          pull_request: original.pull_request,
          clean_checkout: original.clean_checkout,
          rebuilt_from: { id: original.id, number: original.number },
        },
        context,
      );
      return { batch, reply: { ...made.build, jobs: made.jobs } };
    },
  },
  render: (build, context) => renderBuildWithPipeline(build, context.caller.user, context.records, context),
});
