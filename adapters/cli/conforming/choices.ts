import type { Given, Options } from '../command.js';
import { Complaint } from '../complaint.js';
import { type RunningChoice, runningOf, runningOptions } from './running.js';
import { storageNames } from './subject.js';
import { checkTransport, transportNames } from './transports.js';

export const conformanceOptions = {
  storage: { type: 'string', value: 'WHICH', help: `${storageNames};\nmemory if absent` },
  transport: {
    type: 'string',
    value: 'WHICH',
    help: `${transportNames};\nservices are asked through it, in process if absent`,
  },
  ...runningOptions,
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
export interface Choices {
  readonly storage: string;
  /** Absent: whole services are asked in process. */
  readonly transport: string | undefined;
  /** A service that runs already, and is asked instead of one that the suite makes. */
  readonly running: RunningChoice | undefined;
  readonly levels: readonly LevelName[];
  readonly case: string | undefined;
  readonly seed: number | undefined;
  readonly runs: number | undefined;
  readonly replay: string | undefined;
  readonly reports: readonly ReportFile[];
}

export function choicesOf(given: Given<typeof conformanceOptions>): Choices {
  const { replay, seed } = given;
  const running = runningOf(given);
  const adapter = (['storage', 'transport'] as const).find((name) => given[name] !== undefined);
  if (running !== undefined && adapter !== undefined)
    throw new Complaint(`--url is a service as it is, which has its own ${adapter}; leave --${adapter} away`);
  const levels = levelsOf(given);
  const transport = given.transport ?? (levels.includes('transport') ? 'node' : undefined);
  if (transport !== undefined) checkTransport(transport);
  if (replay !== undefined && given.case === undefined) throw new Complaint('--replay needs --case');
  if (replay !== undefined && seed !== undefined) throw new Complaint('--replay has its own seed; leave --seed away');
  return {
    storage: given.storage ?? 'memory',
    transport,
    running,
    levels,
    case: given.case,
    seed: seed === undefined ? undefined : seedOf(seed),
    runs: given.runs === undefined ? undefined : factorOf(given.runs),
    replay,
    reports: (given.report ?? []).map(reportOf),
  };
}

/**
 * Without `--level`: what belongs to the adapters that are named; if only a transport is, the whole service is left out. Of a
 * service that runs, the cases that cannot be tried from outside are told of as well.
 */
function levelsOf({ level, storage, transport, url }: Given<typeof conformanceOptions>): readonly LevelName[] {
  const possible: readonly LevelName[] =
    url === undefined ? ['storage', 'service', 'transport'] : ['service', 'black-box'];
  if (level === undefined) {
    const ofStorage = storage !== undefined || transport === undefined;
    return possible.filter((name) => url !== undefined || (name === 'transport' ? transport !== undefined : ofStorage));
  }
  const names = level.split(',');
  for (const name of names) {
    if (!levelNames.includes(name as LevelName))
      throw new Complaint(`--level must be some of ${levelNames.join(', ')}, not ${JSON.stringify(name)}`);
    if (!possible.includes(name as LevelName))
      throw new Complaint(`--level ${name} ${url === undefined ? 'needs --url' : 'cannot be asked of a --url'}`);
  }
  return levelNames.filter((name) => names.includes(name));
}

function seedOf(text: string): number {
  const seed = Number(text);
  // fast-check takes seeds of 32 bits; a greater one would be cut, and the report would name another than was given.
  if (!/^-?\d+$/.test(text) || seed !== (seed | 0)) {
    throw new Complaint(`--seed must be a whole number of 32 bits, not ${JSON.stringify(text)}`);
  }
  return seed;
}

function factorOf(text: string): number {
  const factor = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || factor <= 0 || factor > 10_000) {
    throw new Complaint(`--runs must be a number above 0, up to 10000, not ${JSON.stringify(text)}`);
  }
  return factor;
}

function reportOf(text: string): ReportFile {
  const [, kind, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const known = reportKinds.find((name) => name === kind);
  if (known === undefined || file === undefined) {
    throw new Complaint(`--report must be json=FILE, junit=FILE or html=FILE, not ${JSON.stringify(text)}`);
  }
  return { kind: known, file };
}
