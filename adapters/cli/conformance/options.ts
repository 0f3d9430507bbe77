import type { Options, OptionValues } from '../command.js';
import { UsageError } from '../usage-error.js';
import { parseRunningService, type RunningService, runningServiceOptions } from './running-service.js';
import { storageHelp } from './storage-target.js';
import { checkTransport, transportHelp } from './transport-target.js';

export const conformanceOptions = {
  storage: { type: 'string', value: 'WHICH', help: `${storageHelp};\ndefault: memory` },
  transport: {
    type: 'string',
    value: 'WHICH',
    help: `${transportHelp}\nfor requests to the service; default: in process`,
  },
  ...runningServiceOptions,
  level: {
    type: 'string',
    value: 'NAMES',
    help: 'Comma-separated list of storage, service, transport and black-box;\ndefault: the levels of the adapters that are tested',
  },
  case: { type: 'string', value: 'ID', help: 'Only this case, or the cases whose ids begin with it' },
  seed: { type: 'string', value: 'N', help: 'Seed of random values; the same seed repeats the same run' },
  runs: { type: 'string', value: 'FACTOR', help: 'Factor on the number of random runs; default: 1' },
  replay: { type: 'string', value: "'SEED|PATH'", help: 'Only one run of --case, as named in a report' },
  report: {
    type: 'string',
    value: 'KIND=FILE',
    many: true,
    help: 'Also writes a report: json, junit or html; may be repeated',
  },
} as const satisfies Options;

const levelNames = ['storage', 'service', 'transport', 'black-box'] as const;
export type LevelName = (typeof levelNames)[number];

const reportKinds = ['json', 'junit', 'html'] as const;
export interface ReportFile {
  readonly kind: (typeof reportKinds)[number];
  readonly file: string;
}

/** The validated options of `conformance`. */
export interface ResolvedConformanceOptions {
  readonly storage: string;
  /** Undefined: the service is called in process. */
  readonly transport: string | undefined;
  /** A running service to test instead of one that the suite creates. */
  readonly running: RunningService | undefined;
  readonly levels: readonly LevelName[];
  readonly case: string | undefined;
  readonly seed: number | undefined;
  readonly runs: number | undefined;
  readonly replay: string | undefined;
  readonly reports: readonly ReportFile[];
}

export function resolveConformanceOptions(values: OptionValues<typeof conformanceOptions>): ResolvedConformanceOptions {
  const { replay, seed } = values;
  const running = parseRunningService(values);
  const adapter = (['storage', 'transport'] as const).find((name) => values[name] !== undefined);
  if (running !== undefined && adapter !== undefined)
    throw new UsageError(`the service at --url has its own ${adapter}; remove --${adapter}`);
  const levels = parseLevels(values);
  const transport = values.transport ?? (levels.includes('transport') ? 'node' : undefined);
  if (transport !== undefined) checkTransport(transport);
  if (replay !== undefined && values.case === undefined) throw new UsageError('--replay needs --case');
  if (replay !== undefined && seed !== undefined) throw new UsageError('--replay has its own seed; remove --seed');
  return {
    storage: values.storage ?? 'memory',
    transport,
    running,
    levels,
    case: values.case,
    seed: seed === undefined ? undefined : parseSeed(seed),
    runs: values.runs === undefined ? undefined : parseRunsFactor(values.runs),
    replay,
    reports: (values.report ?? []).map(parseReportFile),
  };
}

/**
 * Without `--level`: the levels of the adapters that are given; with a transport alone, the storage and service levels are left
 * out. For a running service, the service level reports its cases as skipped.
 */
function parseLevels({
  level,
  storage,
  transport,
  url,
}: OptionValues<typeof conformanceOptions>): readonly LevelName[] {
  const possible: readonly LevelName[] =
    url === undefined ? ['storage', 'service', 'transport'] : ['service', 'black-box'];
  if (level === undefined) {
    const includesStorage = storage !== undefined || transport === undefined;
    return possible.filter(
      (name) => url !== undefined || (name === 'transport' ? transport !== undefined : includesStorage),
    );
  }
  const names = level.split(',');
  for (const name of names) {
    if (!levelNames.includes(name as LevelName))
      throw new UsageError(`--level must be some of ${levelNames.join(', ')}, not ${JSON.stringify(name)}`);
    if (!possible.includes(name as LevelName))
      throw new UsageError(`--level ${name} ${url === undefined ? 'needs --url' : 'cannot be used with --url'}`);
  }
  return levelNames.filter((name) => names.includes(name));
}

function parseSeed(text: string): number {
  const seed = Number(text);
  // fast-check truncates seeds to 32 bits, so a larger one would differ from the seed in the report.
  if (!/^-?\d+$/.test(text) || seed !== (seed | 0)) {
    throw new UsageError(`--seed must be a 32-bit integer, not ${JSON.stringify(text)}`);
  }
  return seed;
}

function parseRunsFactor(text: string): number {
  const factor = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || factor <= 0 || factor > 10_000) {
    throw new UsageError(`--runs must be a number above 0, up to 10000, not ${JSON.stringify(text)}`);
  }
  return factor;
}

function parseReportFile(text: string): ReportFile {
  const [, kind, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const known = reportKinds.find((name) => name === kind);
  if (known === undefined || file === undefined) {
    throw new UsageError(`--report must be json=FILE, junit=FILE or html=FILE, not ${JSON.stringify(text)}`);
  }
  return { kind: known, file };
}
