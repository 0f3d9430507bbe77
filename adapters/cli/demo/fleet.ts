import type { FixtureRecord } from '../../../core/index.js';
import { simulationOffTag } from '../simulation/off-tag.js';
import { type Calendar, isoTime, minute } from './calendar.js';
import { emails } from './people.js';
import { organization } from './summary.js';

/** The cluster of all pipelines. */
export const cluster = 'Main';

export const clusters = (calendar: Calendar): FixtureRecord<'clusters'>[] => [
  {
    organization,
    name: cluster,
    description: 'Linux machines, and a few Macs in the office',
    emoji: ':steam_locomotive:',
    color: '#2E6F40',
    default_queue: 'default',
    created_by: emails.ada,
    created_at: calendar.daysAgo(86),
  },
  {
    organization,
    name: 'Lab',
    description: null,
    emoji: ':test_tube:',
    color: '#FA7',
    created_by: emails.dai,
    created_at: calendar.daysAgo(12),
  },
];

export const queues = (calendar: Calendar): FixtureRecord<'queues'>[] => {
  const main = { organization, cluster, created_by: emails.ada };
  return [
    { ...main, key: 'default', description: 'Small Linux machines', created_at: calendar.daysAgo(86) },
    { ...main, key: 'deploy', description: 'May reach production', created_at: calendar.daysAgo(70) },
    { ...main, key: 'mac', description: null, created_at: calendar.daysAgo(55) },
    {
      ...main,
      key: 'nightly',
      description: 'Long runs, after hours',
      created_at: calendar.daysAgo(40),
      dispatch_paused: true,
      dispatch_paused_by: emails.eve,
      dispatch_paused_at: isoTime(calendar.now - 95 * minute),
      dispatch_paused_note: 'Disk is being replaced',
    },
    { organization, cluster: 'Lab', key: 'gpu', created_by: emails.dai, created_at: calendar.daysAgo(12) },
  ];
};

export const agentTokens = (calendar: Calendar): FixtureRecord<'agent_tokens'>[] => [
  { organization, cluster, description: 'Linux fleet', created_by: emails.ada, created_at: calendar.daysAgo(86) },
  {
    organization,
    cluster,
    description: 'Office Macs',
    allowed_ip_addresses: '10.20.0.0/16 192.0.2.44',
    created_by: emails.chloe,
    created_at: calendar.daysAgo(55),
  },
  { organization, cluster: 'Lab', description: 'Lab', created_by: emails.dai, created_at: calendar.daysAgo(12) },
];

type Agent = FixtureRecord<'agents'>;

interface AgentSpec {
  readonly name: string;
  readonly state?: Agent['connection_state'];
  readonly queue?: string;
  readonly os?: 'linux' | 'macos';
  readonly version?: string;
  readonly priority?: number;
  /** Excludes the agent from the simulation: it keeps the job that it has in the demo. */
  readonly simulationOff?: boolean;
}

/** Agents that are busy in the demo. Their jobs never end, so that some builds are always running. */
export const busyAgents = ['linux-06', 'linux-07', 'linux-08', 'linux-09', 'linux-10', 'linux-11', 'linux-12'] as const;

/** Agents that run the jobs of new builds. */
export const workers = ['linux-01', 'linux-02', 'linux-03', 'linux-04', 'linux-05'] as const;

const agentSpecs: readonly AgentSpec[] = [
  ...workers.map((name, index) => ({ name, priority: index + 1 })),
  ...busyAgents.map((name) => ({ name, simulationOff: true })),
  { name: 'deploy-01', queue: 'deploy' },
  { name: 'deploy-02', queue: 'deploy', state: 'stopped', version: '3.71.0' },
  { name: 'linux-00', state: 'disconnected', version: '3.68.1' },
  { name: 'linux-13', state: 'never_connected' },
  { name: 'mac-01', queue: 'mac', os: 'macos', state: 'disconnected' },
  { name: 'mac-02', queue: 'mac', os: 'macos', state: 'lost', version: '3.71.0' },
];

/** A busy agent that stops after its job. */
const stoppingAgent = 'linux-11';

export const agents = (calendar: Calendar): Agent[] =>
  agentSpecs.map(({ name, queue = 'default', os = 'linux', version = '3.73.1', ...machine }, index) => ({
    organization,
    cluster,
    name,
    hostname: `${name}.${os === 'macos' ? 'office' : 'build'}.acme.example`,
    ip_address: os === 'macos' ? `10.20.0.${index}` : `10.10.0.${index + 10}`,
    version,
    user_agent: `millrace-agent/${version} (${os}; ${os === 'macos' ? 'arm64' : 'amd64'})`,
    connection_state: machine.state ?? (name === stoppingAgent ? 'stopping' : 'connected'),
    creator: emails.ada,
    priority: machine.priority ?? null,
    meta_data: [`queue=${queue}`, `os=${os}`, ...(machine.simulationOff ? [simulationOffTag] : [])],
    last_job_finished_at: machine.state === 'never_connected' ? null : isoTime(calendar.now - (index + 4) * minute),
    created_at: calendar.daysAgo(30 - index),
  }));
