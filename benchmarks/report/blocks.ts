import type { Measurement } from '../parts/measure-peers.js';
import { ablationTables } from './ablation-tables.js';
import { type Goal, goalsOf, isReached } from './goals.js';
import type { Curve, Figure, Machine, Parts, Result } from './result.js';
import { formatDecimal, formatInteger, ratioTable, table } from './tables.js';

/** The blocks of the pages that are written from a result, by name. Blocks of parts that were not run are left out. */
export function blocksOf(result: Result): Readonly<Record<string, string>> {
  const { parts, machine, ablation } = result;
  const goals = goalsOf(parts);
  const blocks: Record<string, string | undefined> = {
    machine: machineLine(machine, result.size),
    goals: goals.length > 0 ? goalsTable(goals) : undefined,
    postgres: parts.postgres && ratioTable(parts.postgres, 'hand-tuned-pg'),
    'postgres-cost': parts.postgres && costTable(parts.postgres),
    'postgres-latency': parts.postgres && latencyTable(parts.postgres),
    sqlite: parts.sqlite && ratioTable(parts.sqlite, 'hand-tuned-sqlite'),
    'sqlite-cost': parts.sqlite && costTable(parts.sqlite),
    cold: parts.cold && coldTables(parts.cold),
    transports: parts.transports && ratioTable(parts.transports, 'millrace-pg'),
    'in-process': parts['in-process'] && figureTable(parts['in-process']),
    start: parts.start && figureTable(parts.start),
    accept: parts.accept && figureTable(parts.accept),
    fixtures: parts.fixtures && figureTable(parts.fixtures),
    conformance: parts.conformance && figureTable(parts.conformance),
    memory: parts.memory && figureTable(parts.memory),
    'fake-servers': parts['fake-servers'] && ratioTable(parts['fake-servers'], 'json-server'),
    growth: parts.growth && growthTables(parts.growth.curves),
    plans: parts.growth && figureTable(parts.growth.plans),
    scale: parts.scale && scaleTable(parts.scale.measured),
    sizes: parts.scale && figureTable(parts.scale.sizes),
    arithmetic: arithmetic(parts),
    'ablation-machine': ablation && machineLine(ablation.machine, ablation.size),
    ablation: ablation && ablationTables(ablation),
  };
  return Object.fromEntries(
    Object.entries(blocks).flatMap(([name, text]) => (text === undefined ? [] : [[name, text.trimEnd()]])),
  );
}

function machineLine(machine: Machine, size: string): string {
  const { date, commit, processor, cores, memory, system, node, postgres, loadBefore, loadAfter, others, seconds } =
    machine;
  const gigabytes = Math.round(memory / 2 ** 30);
  return [
    `Measured on ${date.slice(0, 10)} at commit \`${commit}\` (${size} size, ${Math.round(seconds / 60)} minutes): ${processor}, ${cores} cores shared by load generator, server and database, ${gigabytes} GB, ${system}, Node ${node.slice(1)}, PostgreSQL ${postgres}.`,
    `Load of the machine before and after: ${loadBefore.toFixed(1)} and ${loadAfter.toFixed(1)}; other programs used ${Math.round(others * 100)} % of the processor time meanwhile.`,
  ].join('\n');
}

function goalsTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [
    goal.what,
    goal.against,
    `${goal.sense === 'at least' ? '≥' : '≤'} ${goal.goal.toLocaleString('en-US')}${unitOf(goal)}`,
    `${formatActual(goal)}${isReached(goal) ? '' : ' ✗'}`,
    goal.byProcessor === undefined ? '–' : formatActual({ ...goal, reached: goal.byProcessor }),
    goal.own,
    goal.other,
  ]);
  return table(['', 'against', 'goal', 'reached', 'by processor time', 'Millrace', 'peer'], rows);
}

const unitOf = ({ unit }: Goal): string => (unit === '×' ? ' ×' : unit === 'ms' ? ' ms' : '/s');
const formatActual = ({ unit, reached }: Goal): string =>
  unit === '×' ? formatDecimal(reached) : formatInteger(reached);

/** Microseconds of processor time per request, server + database. */
function costTable(measured: readonly Measurement[]): string {
  const peers = [...new Set(measured.map(({ peer }) => peer))];
  const endpoints = [...new Set(measured.map(({ endpoint }) => endpoint))];
  const cell = (endpoint: string, peer: string) => {
    const found = measured.find((one) => one.endpoint === endpoint && one.peer === peer);
    if (found === undefined) return '–';
    return found.databaseCpu > 0
      ? `${formatInteger(found.serverCpu)} + ${formatInteger(found.databaseCpu)}`
      : formatInteger(found.serverCpu);
  };
  return table(
    ['', ...peers],
    endpoints.map((endpoint) => [endpoint, ...peers.map((peer) => cell(endpoint, peer))]),
  );
}

/** Median and 99th percentile in milliseconds, and memory. */
function latencyTable(measured: readonly Measurement[]): string {
  const peers = [...new Set(measured.map(({ peer }) => peer))];
  const endpoints = [...new Set(measured.map(({ endpoint }) => endpoint))];
  const matching = (endpoint: string, peer: string) =>
    measured.find((one) => one.endpoint === endpoint && one.peer === peer);
  const rows = endpoints.map((endpoint) => [
    endpoint,
    ...peers.map((peer) => {
      const found = matching(endpoint, peer);
      return found === undefined ? '–' : `${formatDecimal(found.p50)} / ${formatDecimal(found.p99)}`;
    }),
  ]);
  const memory = [
    'resident memory afterwards, MB',
    ...peers.map((peer) =>
      formatInteger(Math.max(...measured.filter((one) => one.peer === peer).map((one) => one.memory)) / 1e6),
    ),
  ];
  return table(['', ...peers], [...rows, memory]);
}

const coldTables = (cold: readonly Measurement[]): string =>
  [cold.filter(({ peer }) => peer.endsWith('-pg')), cold.filter(({ peer }) => peer.endsWith('-sqlite'))]
    .filter((part) => part.length > 0)
    .map((part) => ratioTable(part, part.at(-1)?.peer ?? ''))
    .join('\n');

function figureTable(figures: readonly Figure[]): string {
  const value = ({ value, unit }: Figure) => {
    if (unit === 'bytes') return `${formatInteger(value / 1e6)} MB`;
    return `${value < 100 && !Number.isInteger(value) ? formatDecimal(value) : formatInteger(value)} ${unit}`;
  };
  return table(
    ['', ''],
    figures.map((figure) => [figure.name, value(figure)]),
  );
}

function growthTables(curves: readonly Curve[]): string {
  return [...new Set(curves.map(({ database }) => database))]
    .map((database) => {
      const matching = curves.filter((curve) => curve.database === database);
      const counts = matching[0]?.points.map(([count]) => count.toLocaleString('en-US')) ?? [];
      const rows = matching.map(({ what, points }) => {
        const [first, last] = [points[0]?.[1] ?? 1, points.at(-1)?.[1] ?? 1];
        return [what, ...points.map(([, milliseconds]) => milliseconds.toFixed(2)), formatDecimal(last / first)];
      });
      return table([`${database}, ms`, ...counts, 'last to first'], rows);
    })
    .join('\n');
}

function scaleTable(measured: readonly Measurement[]): string {
  const settings = [...new Set(measured.map(({ peer }) => peer))];
  const endpoints = [...new Set(measured.map(({ endpoint }) => endpoint))];
  const cell = (endpoint: string, peer: string) => {
    const found = measured.find((one) => one.endpoint === endpoint && one.peer === peer);
    return found === undefined ? '–' : formatInteger(found.perSecond);
  };
  return table(
    ['requests per second', ...settings],
    endpoints.map((endpoint) => [endpoint, ...settings.map((one) => cell(endpoint, one))]),
  );
}

/** Extrapolates from one build to ten thousand organizations. */
function arithmetic({ scale, postgres }: Parts): string | undefined {
  if (scale === undefined) return undefined;
  const bytesPerBuild = scale.sizes.reduce((sum, { value }) => sum + value, 0);
  const [organizations, daily] = [10_000, 1_000];
  const builds = organizations * daily;
  const rate = builds / 86_400;
  const create = postgres?.find(({ peer, endpoint }) => peer === 'millrace-pg' && endpoint === 'create');
  const cpu = create && ((create.serverCpu + create.databaseCpu) / 1e6) * rate;
  const terabytes = (bytes: number) => `${formatDecimal(bytes / 1e12)} TB`;
  // A build is created once, and each of its four jobs is accepted, started and finished.
  const changes = 1 + 4 * 3;
  // One event each: the build and its four jobs are scheduled; each job is accepted, started and finished; the build starts and finishes.
  const events = 5 + 4 * 3 + 2;
  return table(
    ['', 'for 10,000 organizations with 1,000 builds a day each'],
    [
      ['builds', `${formatInteger(builds)} a day, ${formatInteger(rate)} a second`],
      ['rows (build, 4 jobs, 2 meta-data entries)', `${formatInteger(builds * 7)} a day`],
      ['bytes of tables and indexes per build', `${formatInteger(bytesPerBuild)}`],
      ['bytes', `${terabytes(builds * bytesPerBuild)} a day, ${terabytes(builds * bytesPerBuild * 365)} a year`],
      ['changes (create; accept, start and finish each job)', `${formatInteger(rate * changes)} a second`],
      ['events, until `api.events.forget` deletes them', `${formatInteger(builds * events)} a day`],
      ...(cpu === undefined ? [] : [['processor time of `create` alone', `${formatDecimal(cpu)} cores on average`]]),
    ],
  );
}
