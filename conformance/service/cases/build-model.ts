import fc from 'fast-check';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { command, ModelRunner } from '../models/build-commands.js';
import { type Fixture, type ServiceHarness, withService } from '../service.js';

const at = { organization: 'acme' };

/** The fixture with the pipeline that the model implements. */
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

/** Compares builds, jobs and agents with the model after random commands over the API and the runtime. */
const lifecycle: Case<ServiceHarness> = {
  id: 'models.builds-and-agents',
  cites: 'spec 3.1, spec 3.2, decisions 5, decisions 6, decisions 7',
  run: (harness) =>
    fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 50, maxLength: 90, size: 'max' }), (commands) =>
        withService(harness, fixture, async (service) => {
          const runner = new ModelRunner(service);
          for (const one of commands) {
            await runner.runCommand(one);
            await runner.compare();
          }
        }),
      ),
      propertyParameters(25),
    ),
};

export const buildModelCases = [lifecycle];
