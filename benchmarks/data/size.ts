/** How much data the peers serve, and which part of it is requested. */
export interface Size {
  readonly name: 'full' | 'quick' | 'tiny' | 'ablation';
  /** Number of builds of each pipeline. Lists are requested of the first one. */
  readonly pipelines: readonly number[];
  /** Number of builds of the last pipeline that are scheduled, and can be canceled. */
  readonly cancelable: number;
  readonly agents: number;
  readonly users: number;
  /** Single builds are requested at random among this many, which fit into the render cache. */
  readonly warmBuilds: number;
  /** Number of the far page, with 30 builds per page. */
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
  /** The long pipeline of the full size, so that far pages cost the same; everything else is small, so that loading is quick. */
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

/** The number of newest builds of the first pipeline that the loads request: documents are stored for these. */
export const documentedBuilds = ({ pipelines, warmBuilds, farPage }: Size): number =>
  Math.min(pipelines[0] ?? 0, Math.max(warmBuilds, farPage * 30 + 30));

export const totalBuilds = (size: Size): number => size.pipelines.reduce((sum, count) => sum + count, 0);
