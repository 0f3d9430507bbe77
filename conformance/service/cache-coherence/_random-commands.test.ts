import fc from 'fast-check';
import type { ApiClient } from './_api-client.test.js';

/** The records that the commands of one run use. Commands add the records that they create. */
export interface KnownRecords {
  readonly token: string;
  readonly agentToken: string;
  readonly builds: { readonly pipeline: string; readonly number: number }[];
  readonly agents: string[];
  /** Jobs that are assigned to agents. */
  readonly jobs: string[];
  readonly queues: string[];
  readonly teams: string[];
  /** Number of commands so far, used for unique names. */
  commandCount: number;
}

const acme = '/v2/organizations/acme';

const commandNames = [
  ...(['create', 'create', 'create', 'cancel', 'rebuild', 'accept', 'accept', 'start', 'start', 'finish'] as const),
  ...(['connect', 'stop', 'createQueue', 'changeQueue', 'pauseQueue', 'resumeQueue', 'deleteQueue'] as const),
  ...(['createTeam', 'changeTeam', 'deleteTeam'] as const),
];

/** One random command. `place` selects the record that it uses. */
const randomCommand = fc.record({
  action: fc.constantFrom(...commandNames),
  place: fc.nat({ max: 1_000 }),
  other: fc.boolean(),
});
type RandomCommand = typeof randomCommand extends fc.Arbitrary<infer T> ? T : never;

/** The commands within one second: through this process, through the other one, or through both. */
export const randomSecond = fc.record({
  by: fc.constantFrom('own', 'other', 'both'),
  commands: fc.array(randomCommand, { minLength: 2, maxLength: 10, size: 'max' }),
});

/** Runs the command through one of the Apis, and returns after its reply. A command without a suitable record does nothing. */
export async function runCommand(
  { action, place }: RandomCommand,
  records: KnownRecords,
  apiClient: ApiClient,
): Promise<void> {
  const { token, builds, agents, jobs, queues, teams } = records;
  const one = <T>(list: readonly T[]): T | undefined => list[place % Math.max(1, list.length)];
  const send = (method: string, target: string, body?: object) =>
    apiClient({ type: 'send', method, target, token, ...(body ? { body } : {}) });
  const runtime = (group: 'jobs' | 'agents', call: string, input: object) =>
    apiClient({ type: 'runtime', group, call, input });
  const name = `created ${records.commandCount++}`;
  const [build, agent, job, queue, team] = [one(builds), one(agents), one(jobs), one(queues), one(teams)];
  const queueAt = `${acme}/clusters/${queue}`;
  const buildAt = build && `${acme}/pipelines/${build.pipeline}/builds/${build.number}`;
  const addBuild = (pipeline: string, { text, status }: { text: string; status: number }) => {
    if (status < 300) builds.push({ pipeline, number: JSON.parse(text).number });
  };
  switch (action) {
    case 'create': {
      const pipeline = place % 3 === 0 ? 'deploy' : 'web';
      const body = { commit: 'HEAD', branch: place % 2 === 0 ? 'main' : 'release/1', message: name };
      return addBuild(pipeline, await send('POST', `${acme}/pipelines/${pipeline}/builds`, body));
    }
    case 'cancel':
      return buildAt && send('PUT', `${buildAt}/cancel`);
    case 'rebuild':
      return build && addBuild(build.pipeline, await send('PUT', `${buildAt}/rebuild`));
    case 'accept': {
      const accepted = agent && (await runtime('jobs', 'accept', { agent }));
      if (accepted) jobs.push(accepted.id);
      return;
    }
    case 'start':
      return job && runtime('jobs', 'start', { job });
    case 'finish':
      return job && runtime('jobs', 'finish', { job, exit_status: place % 2 });
    case 'connect': {
      const agentInput = { name, hostname: 'host', ip_address: '10.0.0.1', version: '1' };
      const connected = await runtime('agents', 'connect', { token: records.agentToken, ...agentInput });
      return void agents.push(connected.id);
    }
    case 'stop':
      return agent && send('PUT', `${acme}/agents/${agent}/stop`, { force: place % 2 === 0 });
    case 'createQueue': {
      const cluster = queues[0]?.split('/')[0];
      const { text, status } = await send('POST', `${acme}/clusters/${cluster}/queues`, {
        key: name.replace(' ', '-'),
      });
      if (status < 300) queues.push(`${cluster}/queues/${JSON.parse(text).id}`);
      return;
    }
    case 'changeQueue':
      return queue && send('PATCH', queueAt, { description: name });
    case 'pauseQueue':
      return queue && send('POST', `${queueAt}/pause_dispatch`, { dispatch_paused_note: name });
    case 'resumeQueue':
      return queue && send('POST', `${queueAt}/resume_dispatch`);
    case 'deleteQueue':
      return queue && send('DELETE', queueAt);
    case 'createTeam': {
      const body = { name, privacy: 'visible', is_default_team: false, default_member_role: 'member' };
      const { text, status } = await send('POST', `${acme}/teams`, body);
      if (status < 300) teams.push(JSON.parse(text).id);
      return;
    }
    case 'changeTeam':
      return team && send('PATCH', `${acme}/teams/${team}`, { description: name });
    case 'deleteTeam':
      return team && send('DELETE', `${acme}/teams/${team}`);
  }
}
