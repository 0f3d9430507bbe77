import { median } from '../parts/statistics.js';
import type { Ablation, AblationMeasurement } from './result.js';
import { formatDecimal, formatInteger, table } from './tables.js';

/** One table for each database: lines of code of each mechanism, and the cost of each load with and without it. */
export function ablationTables({ lines, measured }: Ablation): string {
  const databases = [...new Set(measured.map(({ database }) => database))];
  return databases
    .map((database) => {
      const matching = measured.filter((one) => one.database === database);
      const names = [...new Set(matching.map(({ mechanism }) => mechanism))];
      return table(
        [database, 'lines', 'load', 'with', 'without', 'ratio', 'rounds'],
        names.flatMap((name) => mechanismRows(name, lines[name], matching)),
      );
    })
    .join('\n');
}

/** One row for each load. Name and lines of the mechanism are in the first row only. */
const mechanismRows = (name: string, lines: number | undefined, measured: readonly AblationMeasurement[]): string[][] =>
  measured
    .filter(({ mechanism }) => mechanism === name)
    .map(({ load, on, off, ratios }, index) => [
      index === 0 ? name : '',
      index === 0 && lines ? formatInteger(lines) : '',
      load,
      formatInteger(on),
      formatInteger(off),
      formatDecimal(median(ratios)),
      `${formatDecimal(Math.min(...ratios))} to ${formatDecimal(Math.max(...ratios))}`,
    ]);
