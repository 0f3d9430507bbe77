/** How much data the peers serve, and how long each of them is asked. */
export interface Size {
  readonly name: 'full' | 'quick' | 'tiny' | 'ablation';
  /** Builds of each pipeline; the first one is the one that lists are asked of. */
  readonly pipelines: readonly number[];
  /** So many builds of the last pipeline are scheduled, to be canceled. */
  readonly cancelable: number;
  readonly agents: number;
  readonly users: number;
  /** Single builds are asked for at random among so many: they fit into the rendering cache, and are warm. */
  readonly warmBuilds: number;
  /** The far page of the list, of 30 builds. */
  readonly farPage: number;
}

const pipelines = (first: number, others: number, last = others): number[] => [
  first,
  ...Array.from({ length: 18 }, () => others),
  last,
];

export const sizes: Readonly<Record<Size['name'], Size>> = {
  full: {
    name: 'full',
    pipelines: pipelines(24_000, 4_000),
    cancelable: 800,
    agents: 100,
    users: 50,
    warmBuilds: 2_000,
    farPage: 200,
  },
  quick: {
    name: 'quick',
    pipelines: pipelines(2_400, 100, 400),
    cancelable: 240,
    agents: 100,
    users: 50,
    warmBuilds: 2_000,
    farPage: 70,
  },
  /** The long pipeline of the full size, and everything else small: far pages are as dear, and the data is loaded sooner. */
  ablation: {
    name: 'ablation',
    pipelines: pipelines(24_000, 100, 400),
    cancelable: 240,
    agents: 100,
    users: 50,
    warmBuilds: 2_000,
    farPage: 200,
  },
  tiny: {
    name: 'tiny',
    pipelines: [70, 12, 12],
    cancelable: 8,
    agents: 40,
    users: 5,
    warmBuilds: 30,
    farPage: 2,
  },
};

/** The newest builds of the first pipeline, as far as any list of it reaches: those that documents are made of. */
export const documentedBuilds = ({ pipelines, warmBuilds, farPage }: Size): number =>
  Math.min(pipelines[0] ?? 0, Math.max(warmBuilds, farPage * 30 + 30));

export const totalBuilds = (size: Size): number => size.pipelines.reduce((sum, count) => sum + count, 0);
