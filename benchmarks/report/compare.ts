import type { Measurement } from '../parts/measure-peers.js';
import type { Figure, Parts, Result } from './result.js';
import { formatDecimal, table } from './tables.js';

/** A figure that both results have. */
interface Metric {
  readonly name: string;
  readonly samples: readonly number[];
  readonly moreIsBetter: boolean;
}

/**
 * Lists the figures that differ between two results by more than the noise: their samples do not overlap, and their medians
 * differ by more than 10 %. Rates of a peer are divided by the rate of a base peer of the same run before they are compared,
 * because absolute rates are not comparable between machines or runs.
 */
export function compareResults(before: Result, after: Result): string {
  const earlier = new Map(metricsOf(before.parts).map((metric) => [metric.name, metric]));
  const rows: string[][] = [];
  let compared = 0;
  for (const metric of metricsOf(after.parts)) {
    const previous = earlier.get(metric.name);
    if (previous === undefined) continue;
    compared += 1;
    const change = changeRatio(previous.samples, metric.samples);
    if (change === undefined) continue;
    rows.push([metric.name, formatDecimal(change), change > 1 === metric.moreIsBetter ? 'better' : 'worse']);
  }
  const head = `Against ${before.machine.date} (${before.machine.commit}): ${rows.length} of ${compared} figures differ by more than the noise\n`;
  return rows.length === 0 ? head : `${head}\n${table(['', 'ratio', ''], rows)}`;
}

/** The ratio of the medians; undefined if the difference may be noise. */
export function changeRatio(before: readonly number[], after: readonly number[]): number | undefined {
  if (before.length === 0 || after.length === 0) return undefined;
  const apart = Math.min(...after) > Math.max(...before) || Math.max(...after) < Math.min(...before);
  const middle = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
  const ratio = middle(after) / middle(before);
  return apart && (ratio > 1.1 || ratio < 1 / 1.1) ? ratio : undefined;
}

function metricsOf(parts: Parts): Metric[] {
  const peerRates = [
    ...peerMetrics(parts.postgres, ['bare-http']),
    ...peerMetrics(parts.sqlite, ['bare-http']),
    ...peerMetrics(parts.cold, ['hand-tuned-pg', 'hand-tuned-sqlite']),
    ...peerMetrics(parts.transports, ['millrace-pg']),
    ...peerMetrics(parts['fake-servers'], ['json-server']),
  ];
  const figures = [
    ...figureMetrics('in-process', parts['in-process'], true),
    ...figureMetrics('start', parts.start, false),
    ...figureMetrics('accept', parts.accept, false),
  ];
  return [...peerRates, ...figures];
}

/** The rounds of each peer, divided by the rate of the base peer at the same endpoint in the same run. */
const peerMetrics = (measured: readonly Measurement[] = [], bases: readonly string[]): Metric[] =>
  measured.flatMap(({ peer, endpoint, rounds }) => {
    const sameDatabase = (base: string) => bases.length === 1 || base.split('-').at(-1) === peer.split('-').at(-1);
    const base = measured.find(
      (one) => bases.includes(one.peer) && sameDatabase(one.peer) && one.endpoint === endpoint,
    );
    if (base === undefined || base.peer === peer) return [];
    const samples = rounds.map((rate) => rate / base.perSecond);
    return [{ name: `${peer}: ${endpoint}`, samples, moreIsBetter: true }];
  });

const figureMetrics = (part: string, figures: readonly Figure[] | undefined, moreIsBetter: boolean): Metric[] =>
  (figures ?? []).flatMap(({ name, samples }) =>
    samples ? [{ name: `${part}: ${name}`, samples, moreIsBetter }] : [],
  );
