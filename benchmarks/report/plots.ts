import type { Measurement } from '../parts/measure-peers.js';
import type { Curve, Result } from './result.js';
import { colours, escapeXml, line, logScale, svgDocument, text, ticks } from './svg.js';
import { formatDecimal } from './tables.js';

/** The plots of a result, as SVG by name. */
export function plotsOf({ parts }: Result): Readonly<Record<string, string>> {
  const plots: Record<string, string> = {};
  if (parts.postgres)
    plots['ratios-postgres'] = ratioBars(
      'PostgreSQL: requests per second, as a multiple of the SQL tuned by hand',
      parts.postgres,
      'hand-tuned-pg',
    );
  if (parts.sqlite)
    plots['ratios-sqlite'] = ratioBars(
      'SQLite: requests per second, as a multiple of the SQL tuned by hand',
      parts.sqlite,
      'hand-tuned-sqlite',
    );
  for (const database of ['PostgreSQL', 'SQLite']) {
    const curves = parts.growth?.curves.filter((curve) => curve.database === database) ?? [];
    if (curves.length > 0)
      plots[`growth-${database.toLowerCase()}`] = growthCurves(
        `${database}: milliseconds while one pipeline grows`,
        curves,
      );
  }
  return plots;
}

/** A bar for each endpoint and peer on a logarithmic scale: left of the line is slower than the base peer, right of it faster. */
export function ratioBars(title: string, measured: readonly Measurement[], against: string): string {
  const plotted = measured.filter(({ peer }) => peer !== against && peer !== 'bare-http');
  const peers = [...new Set(plotted.map(({ peer }) => peer))];
  const endpoints = [...new Set(plotted.map(({ endpoint }) => endpoint))];
  const ratioOf = (one: Measurement) =>
    one.perSecond /
    (measured.find(({ peer, endpoint }) => peer === against && endpoint === one.endpoint)?.perSecond ?? Number.NaN);
  const ratios = plotted.map(ratioOf);
  const low = Math.min(0.2, ...ratios) / 1.1;
  const high = Math.max(5, ...ratios) * 1.5;
  const [left, width, bar] = [150, 800, 13];
  const x = logScale([low, high], [left, width - 20]);
  const top = 64;
  const groupHeight = (endpoint: string) => plotted.filter((one) => one.endpoint === endpoint).length * bar + 14;
  const height = top + endpoints.reduce((sum, endpoint) => sum + groupHeight(endpoint), 0) + 28;
  const parts = ticks(low, high).flatMap((tick) => [
    line(x(tick), top - 6, x(tick), height - 24, tick === 1 ? '#37352f' : '#e3e2e0'),
    text(x(tick), height - 8, `${tick}×`, 'text-anchor="middle" font-size="11"'),
  ]);
  let y = top;
  for (const endpoint of endpoints) {
    const group = plotted.filter((one) => one.endpoint === endpoint);
    parts.push(text(left - 10, y + (group.length * bar) / 2 + 4, endpoint, 'text-anchor="end"'));
    for (const one of group) {
      const ratio = ratioOf(one);
      const [from, to] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))];
      const colour = colours[peers.indexOf(one.peer) % colours.length];
      parts.push(
        `<rect x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${bar - 2}" fill="${colour}"><title>${escapeXml(`${one.peer}: ${formatDecimal(ratio)}×`)}</title></rect>`,
        text(
          ratio < 1 ? from - 4 : to + 4,
          y + bar - 4,
          formatDecimal(ratio),
          `font-size="10" text-anchor="${ratio < 1 ? 'end' : 'start'}"`,
        ),
      );
      y += bar;
    }
    y += 14;
  }
  return svgDocument(width, height, title, [...legend(peers, 16, 44), ...parts]);
}

/** One line for each kind of request, on logarithmic scales. A flat line is the goal. */
export function growthCurves(title: string, curves: readonly Curve[]): string {
  const sizes = curves.flatMap(({ points }) => points.map(([size]) => size));
  const times = curves.flatMap(({ points }) => points.map(([, milliseconds]) => milliseconds));
  const [low, high] = [Math.min(...times) / 1.3, Math.max(...times) * 1.3];
  const [width, height, left, right, top, bottom] = [860, 460, 60, 560, 50, 420];
  const x = logScale([Math.min(...sizes), Math.max(...sizes)], [left, right]);
  const y = logScale([low, high], [bottom, top]);
  const grid = [
    ...ticks(low, high).flatMap((tick) => [
      line(left, y(tick), right, y(tick)),
      text(left - 8, y(tick) + 4, String(tick), 'text-anchor="end" font-size="11"'),
    ]),
    ...[...new Set(sizes)].flatMap((size) => [
      line(x(size), top, x(size), bottom),
      text(x(size), bottom + 18, `${size.toLocaleString('en-US')}`, 'text-anchor="middle" font-size="11"'),
    ]),
    text(left, bottom + 34, 'builds in the pipeline', 'font-size="11"'),
  ];
  const labels = spreadLabels(
    curves.map(({ points }) => y(points.at(-1)?.[1] ?? low)),
    15,
  );
  const drawn = curves.flatMap(({ what, points }, index) => {
    const colour = colours[index % colours.length] ?? '#000';
    const path = points.map(([size, milliseconds]) => `${x(size).toFixed(1)},${y(milliseconds).toFixed(1)}`);
    const end = y(points.at(-1)?.[1] ?? low);
    const label = labels[index] ?? end;
    return [
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...path.map(
        (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
      line(right + 4, end, right + 16, label, colour),
      text(right + 20, label + 4, `${what}: ${points.at(-1)?.[1].toFixed(2)} ms`, `fill="${colour}"`),
    ];
  });
  return svgDocument(width, height, title, [...grid, ...drawn]);
}

/** Positions as near to the given ones as possible, with a minimum distance between them. */
function spreadLabels(desired: readonly number[], spacing: number): number[] {
  const order = desired.map((_, index) => index).sort((a, b) => (desired[a] ?? 0) - (desired[b] ?? 0));
  const positions: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(desired[index] ?? 0, last + spacing);
    positions[index] = last;
  }
  const overflow = Math.max(0, last - 412);
  return positions.map((index) => index - overflow);
}

function legend(peers: readonly string[], from: number, y: number): string[] {
  let x = from;
  return peers.flatMap((peer, index) => {
    const left = x;
    x += 28 + peer.length * 7;
    return [
      `<rect x="${left}" y="${y - 10}" width="11" height="11" fill="${colours[index % colours.length]}"/>`,
      text(left + 16, y, peer),
    ];
  });
}
