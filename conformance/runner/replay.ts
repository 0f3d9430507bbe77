/** What reproduces a failure. */
export interface Replay {
  readonly seed: number;
  /** The fast-check path to the smallest failing value. Absent: all values are tried again. */
  readonly path?: string;
  /** Which property of the case failed, counted from 1. */
  readonly property?: number;
}

/** A replay as one word: `42|7:1:0`, followed by the property if it is not the first. */
export function formatReplay({ seed, path, property = 1 }: Replay): string {
  if (path === undefined) return `${seed}`;
  return property === 1 ? `${seed}|${path}` : `${seed}|${path}|${property}`;
}

/** Parses the output of `formatReplay`. Undefined if the text has another form. */
export function parseReplay(text: string): Replay | undefined {
  const [, seed, path, property] = /^(-?\d{1,15})(?:\|(\d+(?::\d+)*)(?:\|([1-9]\d{0,5}))?)?$/.exec(text) ?? [];
  if (seed === undefined) return undefined;
  if (path === undefined) return { seed: Number(seed) };
  return { seed: Number(seed), path, property: Number(property ?? 1) };
}
