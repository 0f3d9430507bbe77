import { parseArgs } from 'node:util';

/** What a run is told on the command line. */
export interface Options {
  readonly quick: boolean;
  /** Names of parts; all of them if there are none. */
  readonly only: readonly string[];
  /** How much longer each turn takes than it has to. */
  readonly longer: number;
  /** Where the results are written. */
  readonly out: string | undefined;
  /** An earlier result to compare with. */
  readonly compare: string | undefined;
  /** A result that is taken in place of a run. */
  readonly result: string | undefined;
  /** Only writes docs/performance.md and its plots anew. */
  readonly page: boolean;
  readonly help: boolean;
}

export const helpText = `npm run bench -- [options]

  --quick           Little data, short turns, and without scale and conformance: three to five minutes, not ten to fifteen
  --only NAME       One part (may be given several times): PARTS
  --longer N        Turns N times as long, for steadier figures
  --out FILE        Where the results go; benchmarks/results/full.json or quick.json if absent
  --compare FILE    Says what has moved since that result, beyond the noise of both
  --result FILE     Runs nothing, and takes that result for what has been measured
  --page            Writes docs/performance.md, docs/scale.md and the plots from --result FILE, which becomes
                    benchmarks/results/published.json; without it from there
`;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      longer: { type: 'string', default: '1' },
      out: { type: 'string' },
      compare: { type: 'string' },
      result: { type: 'string' },
      page: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const longer = Number(values.longer);
  if (!(longer > 0)) throw new TypeError(`--longer must be a positive number, not ${values.longer}`);
  return { ...values, longer, out: values.out, compare: values.compare, result: values.result };
}
