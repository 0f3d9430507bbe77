import type { Measurement } from '../parts/measure-peers.js';

/** A Markdown table of requests per second of each peer, with the ratio to one of them in brackets. */
export function ratioTable(measured: readonly Measurement[], against: string): string {
  const peers = [...new Set(measured.map(({ peer }) => peer))];
  const endpoints = [...new Set(measured.map(({ endpoint }) => endpoint))];
  const cell = (endpoint: string, peer: string): string => {
    const found = measured.find((one) => one.endpoint === endpoint && one.peer === peer);
    const base = measured.find((one) => one.endpoint === endpoint && one.peer === against);
    if (found === undefined) return '–';
    const ratio = base === undefined ? '' : ` (${formatDecimal(found.perSecond / base.perSecond)})`;
    return `${formatInteger(found.perSecond)}${ratio}`;
  };
  const rows = endpoints.map((endpoint) => [endpoint, ...peers.map((peer) => cell(endpoint, peer))]);
  return table(['', ...peers], rows);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

/** A whole number with thousands separators. */
export const formatInteger = (number: number): string => Math.round(number).toLocaleString('en-US');

export const formatDecimal = (number: number): string => (number >= 10 ? number.toFixed(1) : number.toFixed(2));
