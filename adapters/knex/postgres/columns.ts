import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { quoted } from '../names.js';
import { timeFrom } from './values.js';

/** The columns of an entity in the order in which its rows are written and read. */
export interface Columns {
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  /** The cells of a row as a JSON array, and more behind them. */
  cells(alias: string, more?: readonly string[]): string;
  /** A row from its cells, which JSON has read already. */
  decode(cells: readonly unknown[]): Record<string, unknown>;
}

export function columnsOf(entity: EntityName): Columns {
  const known = made.get(entity);
  if (known !== undefined) return known;
  const declared = Object.entries<Column>(entities[entity].columns);
  const names = declared.map(([name]) => name);
  const kinds = declared.map(([, { kind }]) => kind);
  const reading = declared.map(([name, { kind }]) => ({ name, read: readers[kind] }));
  const columns: Columns = {
    names,
    kinds,
    cells: (alias, more = []) =>
      `json_build_array(${[...names.map((name) => `${alias}.${quoted(name)}`), ...more].join(', ')})`,
    decode: (cells) => {
      const row: Record<string, unknown> = {};
      let place = 0;
      for (const { name, read } of reading) {
        const cell = cells[place++];
        row[name] = read === undefined || cell === null ? cell : read(cell as string);
      }
      return row;
    },
  };
  made.set(entity, columns);
  return columns;
}

/** What is left to do with a cell that JSON has read. JSON columns are text to it, so that no engine touches their keys. */
const readers: Readonly<Partial<Record<ColumnKind, (cell: string) => unknown>>> = {
  time: timeFrom,
  json: (cell) => JSON.parse(cell),
};

const made = new Map<EntityName, Columns>();
