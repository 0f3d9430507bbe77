/** Where a failure is to be found again. */
export interface Replay {
  readonly seed: number;
  /** The way from the first generated value to the smallest one that fails. Absent: all values are tried again. */
  readonly path?: string;
  /** Which property of the case failed, counted from 1. */
  readonly property?: number;
}

/** A replay as one word: `42|7:1:0`, with the property behind it if that is not the first. */
export function formatReplay({ seed, path, property = 1 }: Replay): string {
  if (path === undefined) return `${seed}`;
  return property === 1 ? `${seed}|${path}` : `${seed}|${path}|${property}`;
}

/** Reads what `replayText` wrote; undefined if it is nothing of the kind. */
export function parseReplay(text: string): Replay | undefined {
  const [, seed, path, property] = /^(-?\d{1,15})(?:\|(\d+(?::\d+)*)(?:\|([1-9]\d{0,5}))?)?$/.exec(text) ?? [];
  if (seed === undefined) return undefined;
  if (path === undefined) return { seed: Number(seed) };
  return { seed: Number(seed), path, property: Number(property ?? 1) };
}
