import type { Options, OptionValues } from '../command.js';
import { UsageError } from '../usage-error.js';
import { parseRunningService, type RunningService, runningServiceOptions } from './running-service.js';
import { storageHelp } from './storage-target.js';
import { checkTransport, transportHelp } from './transport-target.js';

export const conformanceOptions = {
  storage: { type: 'string', value: 'WHICH', help: `${storageHelp};\nmemory if absent` },
  transport: {
    type: 'string',
    value: 'WHICH',
    help: `${transportHelp};\nservices are asked through it, in process if absent`,
  },
  ...runningServiceOptions,
  level: {
    type: 'string',
    value: 'NAMES',
    help: 'Of storage, service, transport and black-box, with commas between them;\nthose that belong to what is tested if absent',
  },
  case: { type: 'string', value: 'ID', help: 'Only that case, or those whose ids begin so' },
  seed: { type: 'string', value: 'N', help: 'Where random values come from; the same seed gives the same run' },
  runs: { type: 'string', value: 'FACTOR', help: 'Factor on the number of random runs; 1 if absent, 20 for a night' },
  replay: { type: 'string', value: "'SEED|PATH'", help: 'Only the run of --case that a report names' },
  report: { type: 'string', value: 'KIND=FILE', many: true, help: 'Also writes json, junit or html; may be repeated' },
} as const satisfies Options;

const levelNames = ['storage', 'service', 'transport', 'black-box'] as const;
export type LevelName = (typeof levelNames)[number];

const reportKinds = ['json', 'junit', 'html'] as const;
export interface ReportFile {
  readonly kind: (typeof reportKinds)[number];
  readonly file: string;
}

/** What was chosen on the command line of `conformance`. */
export interface ResolvedConformanceOptions {
  readonly storage: string;
  /** Absent: whole services are asked in process. */
  readonly transport: string | undefined;
  /** A service that runs already, and is asked instead of one that the suite makes. */
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
    throw new UsageError(`--url is a service as it is, which has its own ${adapter}; leave --${adapter} away`);
  const levels = parseLevels(values);
  const transport = values.transport ?? (levels.includes('transport') ? 'node' : undefined);
  if (transport !== undefined) checkTransport(transport);
  if (replay !== undefined && values.case === undefined) throw new UsageError('--replay needs --case');
  if (replay !== undefined && seed !== undefined) throw new UsageError('--replay has its own seed; leave --seed away');
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
 * Without `--level`: what belongs to the adapters that are named; if only a transport is, the whole service is left out. Of a
 * service that runs, the cases that cannot be tried from outside are told of as well.
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
      throw new UsageError(`--level ${name} ${url === undefined ? 'needs --url' : 'cannot be asked of a --url'}`);
  }
  return levelNames.filter((name) => names.includes(name));
}

function parseSeed(text: string): number {
  const seed = Number(text);
  // fast-check takes seeds of 32 bits; a greater one would be cut, and the report would name another than was given.
  if (!/^-?\d+$/.test(text) || seed !== (seed | 0)) {
    throw new UsageError(`--seed must be a whole number of 32 bits, not ${JSON.stringify(text)}`);
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
