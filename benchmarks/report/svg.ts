/** Builds plots as plain SVG text, small enough to read in a diff. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const colours = [
  '#0b6e99',
  '#d9730d',
  '#448361',
  '#9065b0',
  '#c14c8a',
  '#9b9a97',
  '#cb912f',
  '#337ea9',
  '#d44c47',
  '#787774',
  '#5a9e6f',
  '#a27763',
];

export const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${formatCoordinate(x)}" y="${formatCoordinate(y)}" ${attributes}>${escapeXml(content)}</text>`;

export const line = (x1: number, y1: number, x2: number, y2: number, colour = '#e3e2e0'): string =>
  `<line x1="${formatCoordinate(x1)}" y1="${formatCoordinate(y1)}" x2="${formatCoordinate(x2)}" y2="${formatCoordinate(y2)}" stroke="${colour}"/>`;

/** An SVG document with a white background, so that it is readable on dark pages too. */
export const svgDocument = (width: number, height: number, title: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#37352f">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${text(16, 26, title, 'font-size="15" font-weight="600"')}
${parts.join('\n')}
</svg>
`;

/** A logarithmic scale from values to coordinates. */
export function logScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  return (value) => from + ((Math.log10(value) - a) / (b - a)) * (to - from);
}

/** 1, 2 and 5 times every power of ten, within the bounds. */
export function ticks(low: number, high: number, steps: readonly number[] = [1, 2, 5]): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of steps) {
      const value = Number((step * 10 ** power).toPrecision(3));
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  }
  return found;
}

const formatCoordinate = (value: number): string => String(Math.round(value * 10) / 10);
