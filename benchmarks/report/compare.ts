import type { Measured } from '../parts/round.js';
import type { Figure, Parts, Result } from './result.js';
import { significant, table } from './tables.js';

/** Something that was measured twice, as a quantity of which more is better or worse. */
interface Value {
  readonly name: string;
  readonly samples: readonly number[];
  readonly moreIsBetter: boolean;
}

/**
 * What has moved between two results, beyond the noise of both: their samples do not overlap, and the medians are a tenth
 * apart. Rates of a peer are compared as shares of what bare HTTP, or whoever stands beside it, made in the same run, since
 * absolute figures do not carry over between machines or runs.
 */
export function comparison(before: Result, after: Result): string {
  const earlier = new Map(valuesOf(before.parts).map((value) => [value.name, value]));
  const rows: string[][] = [];
  let compared = 0;
  for (const value of valuesOf(after.parts)) {
    const then = earlier.get(value.name);
    if (then === undefined) continue;
    compared += 1;
    const moved = movement(then.samples, value.samples);
    if (moved === undefined) continue;
    rows.push([value.name, significant(moved), moved > 1 === value.moreIsBetter ? 'better' : 'worse']);
  }
  const head = `Against ${before.machine.date} (${before.machine.commit}): ${rows.length} of ${compared} figures have moved beyond the noise\n`;
  return rows.length === 0 ? head : `${head}\n${table(['', 'ratio', ''], rows)}`;
}

/** The ratio of the medians, if the samples lie apart; undefined if it may be noise. */
export function movement(before: readonly number[], after: readonly number[]): number | undefined {
  if (before.length === 0 || after.length === 0) return undefined;
  const apart = Math.min(...after) > Math.max(...before) || Math.max(...after) < Math.min(...before);
  const middle = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
  const ratio = middle(after) / middle(before);
  return apart && (ratio > 1.1 || ratio < 1 / 1.1) ? ratio : undefined;
}

function valuesOf(parts: Parts): Value[] {
  const contests = [
    ...relative(parts.postgres, ['bare-http']),
    ...relative(parts.sqlite, ['bare-http']),
    ...relative(parts.cold, ['hand-tuned-pg', 'hand-tuned-sqlite']),
    ...relative(parts.transports, ['millrace-pg']),
    ...relative(parts['fake-servers'], ['json-server']),
  ];
  const figures = [
    ...named('in-process', parts['in-process'], true),
    ...named('start', parts.start, false),
    ...named('accept', parts.accept, false),
  ];
  return [...contests, ...figures];
}

/** Rounds of each peer as shares of what another one made at the same endpoint in the same run. */
const relative = (measured: readonly Measured[] = [], bases: readonly string[]): Value[] =>
  measured.flatMap(({ peer, endpoint, rounds }) => {
    const sameDatabase = (base: string) => bases.length === 1 || base.split('-').at(-1) === peer.split('-').at(-1);
    const base = measured.find(
      (one) => bases.includes(one.peer) && sameDatabase(one.peer) && one.endpoint === endpoint,
    );
    if (base === undefined || base.peer === peer) return [];
    const samples = rounds.map((rate) => rate / base.perSecond);
    return [{ name: `${peer}: ${endpoint}`, samples, moreIsBetter: true }];
  });

const named = (part: string, figures: readonly Figure[] | undefined, moreIsBetter: boolean): Value[] =>
  (figures ?? []).flatMap(({ name, samples }) =>
    samples ? [{ name: `${part}: ${name}`, samples, moreIsBetter }] : [],
  );
