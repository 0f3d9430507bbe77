import fc from 'fast-check';
import type { ApiClient } from './_api-client.test.js';

/** What the moves of one run work on; they note what they have made. */
export interface KnownRecords {
  readonly token: string;
  readonly agentToken: string;
  readonly builds: { readonly pipeline: string; readonly number: number }[];
  readonly agents: string[];
  /** Jobs that agents hold. */
  readonly jobs: string[];
  readonly queues: string[];
  readonly teams: string[];
  /** How many moves there have been: makes names that are not taken. */
  commandCount: number;
}

const acme = '/v2/organizations/acme';

const commandNames = [
  ...(['create', 'create', 'create', 'cancel', 'rebuild', 'accept', 'accept', 'start', 'start', 'finish'] as const),
  ...(['connect', 'stop', 'createQueue', 'changeQueue', 'pauseQueue', 'resumeQueue', 'deleteQueue'] as const),
  ...(['createTeam', 'changeTeam', 'deleteTeam'] as const),
];

/** One change. */
const randomCommand = fc.record({
  does: fc.constantFrom(...commandNames),
  place: fc.nat({ max: 1_000 }),
  other: fc.boolean(),
});
type RandomCommand = typeof randomCommand extends fc.Arbitrary<infer T> ? T : never;

/** What happens within a second: in this process, in the other one, or now in this and now in that. */
export const randomSecond = fc.record({
  by: fc.constantFrom('own', 'other', 'both'),
  moves: fc.array(randomCommand, { minLength: 2, maxLength: 10, size: 'max' }),
});

/** Makes the change through one of the Apis, and returns when it is acknowledged. Moves that nothing is there for do nothing. */
export async function runCommand(
  { does, place }: RandomCommand,
  records: KnownRecords,
  apiClient: ApiClient,
): Promise<void> {
  const { token, builds, agents, jobs, queues, teams } = records;
  const one = <T>(list: readonly T[]): T | undefined => list[place % Math.max(1, list.length)];
  const send = (method: string, target: string, body?: object) =>
    apiClient({ type: 'send', method, target, token, ...(body ? { body } : {}) });
  const host = (group: 'jobs' | 'agents', call: string, input: object) =>
    apiClient({ type: 'host', group, call, input });
  const name = `made ${records.commandCount++}`;
  const [build, agent, job, queue, team] = [one(builds), one(agents), one(jobs), one(queues), one(teams)];
  const queueAt = `${acme}/clusters/${queue}`;
  const buildAt = build && `${acme}/pipelines/${build.pipeline}/builds/${build.number}`;
  const made = (pipeline: string, { text, status }: { text: string; status: number }) => {
    if (status < 300) builds.push({ pipeline, number: JSON.parse(text).number });
  };
  switch (does) {
    case 'create': {
      const pipeline = place % 3 === 0 ? 'deploy' : 'web';
      const body = { commit: 'HEAD', branch: place % 2 === 0 ? 'main' : 'release/1', message: name };
      return made(pipeline, await send('POST', `${acme}/pipelines/${pipeline}/builds`, body));
    }
    case 'cancel':
      return buildAt && send('PUT', `${buildAt}/cancel`);
    case 'rebuild':
      return build && made(build.pipeline, await send('PUT', `${buildAt}/rebuild`));
    case 'accept': {
      const accepted = agent && (await host('jobs', 'accept', { agent }));
      if (accepted) jobs.push(accepted.id);
      return;
    }
    case 'start':
      return job && host('jobs', 'start', { job });
    case 'finish':
      return job && host('jobs', 'finish', { job, exit_status: place % 2 });
    case 'connect': {
      const agentInput = { name, hostname: 'host', ip_address: '10.0.0.1', version: '1' };
      const connected = await host('agents', 'connect', { token: records.agentToken, ...agentInput });
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
