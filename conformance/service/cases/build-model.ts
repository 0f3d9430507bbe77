import fc from 'fast-check';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { command, ModelRunner } from '../models/build-commands.js';
import { type Fixture, type ServiceHarness, withService } from '../service.js';

const at = { organization: 'acme' };

/** The pipeline that the model knows. */
const fixture: Fixture = {
  organizations: [{ slug: 'acme' }],
  users: [{ name: 'Admin', email: 'admin@acme.test', organizations: [{ organization: 'acme', role: 'admin' }] }],
  access_tokens: [{ user: 'admin@acme.test' }],
  clusters: [{ ...at, name: 'main', default_queue: 'default' }],
  queues: [{ ...at, cluster: 'main', key: 'default' }],
  agent_tokens: [{ ...at, cluster: 'main', description: 'Agents' }],
  pipelines: [
    {
      ...at,
      slug: 'flow',
      repository: 'git@acme.test:flow.git',
      cluster: 'main',
      steps: [
        { key: 'first', command: 'make' },
        { key: 'soft', command: 'make lint', soft_fail: true },
        { key: 'wait', type: 'waiter' },
        { key: 'gate', type: 'manual' },
        { key: 'last', command: 'make ship', automatic_retry: [{ exit_status: 7, limit: 1 }] },
      ],
    },
  ],
};

/** Builds, jobs and agents against the model, over the API and the calls of the host. */
const lifecycle: Case<ServiceHarness> = {
  id: 'models.builds-and-agents',
  cites: 'spec 3.1, spec 3.2, decisions 5, decisions 6, decisions 7',
  run: (harness) =>
    fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 50, maxLength: 90, size: 'max' }), (commands) =>
        withService(harness, fixture, async (service) => {
          const pair = new ModelRunner(service);
          for (const chosen of commands) {
            await pair.runCommand(chosen);
            await pair.compare();
          }
        }),
      ),
      propertyParameters(25),
    ),
};

export const buildModelCases = [lifecycle];
