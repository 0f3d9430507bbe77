import type { Measurement } from '../parts/measure-peers.js';

/** Everything that a run has measured, as it is written to a file. Each part adds what it found under its name. */
export interface Result {
  readonly machine: Machine;
  readonly size: string;
  /** Parts that went wrong, and are missing for that. */
  readonly failed: readonly string[];
  readonly parts: Parts;
  /** What each mechanism is worth. It comes from a run of its own, so it says itself where and when it was measured. */
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
  /** Off to on, round by round. */
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
  /** Runnable processes in the mean of the last minute, when the run began and when it ended. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  /** The share of processor time that others took during the run, from 0 to 1. */
  readonly others: number;
  /** Seconds that the run took. */
  readonly seconds: number;
}

/** Figures with a name and a unit, for what is no contest of peers. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** All single measurements, from which the noise is judged. */
  readonly samples?: readonly number[];
}

export interface Curve {
  readonly database: string;
  readonly what: string;
  /** Builds in the pipeline, and milliseconds. */
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
