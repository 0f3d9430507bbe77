import type { Measurement } from '../parts/measure-peers.js';

/** The result of a run, as it is written to a file. Each part adds its figures under its name. */
export interface Result {
  readonly machine: Machine;
  readonly size: string;
  /** Parts that failed. They are missing in `parts`. */
  readonly failed: readonly string[];
  readonly parts: Parts;
  /** What each mechanism is worth. It comes from a separate run, so it has its own machine and date. */
  readonly ablation?: Ablation;
}

export interface Ablation {
  readonly machine: Machine;
  readonly size: string;
  /** Lines of code that each mechanism costs. */
  readonly lines: Readonly<Record<string, number>>;
  readonly measured: readonly AblationMeasurement[];
}

/** One load with a mechanism on and off: microseconds of processor time per request, medians of the rounds. */
export interface AblationMeasurement {
  readonly mechanism: string;
  readonly database: 'PostgreSQL' | 'SQLite';
  readonly load: string;
  readonly on: number;
  readonly off: number;
  /** `off` divided by `on`, for each round. */
  readonly ratios: readonly number[];
}

export interface Machine {
  readonly date: string;
  readonly commit: string;
  readonly processor: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  /** The load average of the last minute, before and after the run. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  /** The share of processor time that other programs used during the run, from 0 to 1. */
  readonly others: number;
  /** Duration of the run in seconds. */
  readonly seconds: number;
}

/** A figure with a name and a unit, for parts that do not compare peers. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The single measurements, which show the noise. */
  readonly samples?: readonly number[];
}

export interface Curve {
  readonly database: string;
  readonly what: string;
  /** Number of builds in the pipeline, and milliseconds. */
  readonly points: readonly (readonly [size: number, milliseconds: number])[];
}

export interface Parts {
  postgres?: readonly Measurement[];
  sqlite?: readonly Measurement[];
  cold?: readonly Measurement[];
  'fake-servers'?: readonly Measurement[];
  transports?: readonly Measurement[];
  'in-process'?: readonly Figure[];
  start?: readonly Figure[];
  accept?: readonly Figure[];
  fixtures?: readonly Figure[];
  conformance?: readonly Figure[];
  memory?: readonly Figure[];
  growth?: { readonly curves: readonly Curve[]; readonly plans: readonly Figure[] };
  scale?: { readonly measured: readonly Measurement[]; readonly sizes: readonly Figure[] };
}

export type PartName = keyof Parts;
