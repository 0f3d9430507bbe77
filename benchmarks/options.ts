import { parseArgs } from 'node:util';

/** The command line of a run. */
export interface Options {
  readonly quick: boolean;
  /** Runs the ablation in place of the parts. */
  readonly ablation: boolean;
  /** Names of parts; all of them if there are none. */
  readonly only: readonly string[];
  /** Factor for the length of every turn. */
  readonly longer: number;
  /** File for the result. */
  readonly out: string | undefined;
  /** File of an earlier result to compare with. */
  readonly compare: string | undefined;
  /** File of a result that is printed or published in place of a new run. */
  readonly result: string | undefined;
  /** Publishes the result of this run or of `result`; without either writes the pages again. */
  readonly page: boolean;
  readonly help: boolean;
}

export const helpText = `npm run bench -- [options]

  --quick           Less data, shorter turns, and without scale and conformance: three to five minutes, not ten to fifteen
  --ablation        What each mechanism is worth: the same loads with it switched off, on PostgreSQL and SQLite; six to eight minutes
  --only NAME       One part (may be given several times): PARTS
  --longer N        Turns N times as long, for less noise
  --out FILE        Where the result is written. Default: benchmarks/results/full.json, quick.json, part.json or ablation.json
  --compare FILE    Prints which figures differ from those of an earlier result by more than the noise of both
  --result FILE     Does not run anything, and prints that result
  --page            Publishes a result: that of --result FILE, or of this run with --ablation. It is merged into
                    benchmarks/results/published.json, and docs/performance.md, docs/scale.md and the plots are written
                    from there. Without a result only writes the pages again
`;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      ablation: { type: 'boolean', default: false },
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
  if (values.ablation && values.only.length > 0) throw new TypeError('--ablation cannot be combined with --only');
  return { ...values, longer, out: values.out, compare: values.compare, result: values.result };
}
