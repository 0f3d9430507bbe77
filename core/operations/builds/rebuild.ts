import { command } from '../../contract/operation.js';
import { Build } from '../../representations/build.js';
import { idsForBuild, loadBuildSite, newBuild } from './new-build.js';
import { presentOne } from './present.js';

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
    load: async ({ at, ...about }) => ({
      original: at.build,
      site: await loadBuildSite(at.pipeline, at.build.branch, about),
    }),
    ids: ({ site }) => idsForBuild(site),
    decide({ original, site }, given) {
      const { batch, made } = newBuild(
        site,
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
        given,
      );
      return { batch, reply: { ...made.build, jobs: made.jobs } };
    },
  },
  present: (build, call) => presentOne(build, call.caller.user, call.at, call),
});
