import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { timeFrom, type Wire } from './values.js';

/** The columns of an entity in the order in which its rows are written and read. */
export interface Columns {
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  /** A row from its cells as texts, the first of which stands at a place. */
  decode(cells: readonly Wire[], from: number): Record<string, unknown>;
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
    decode: (cells, from) => {
      const row: Record<string, unknown> = {};
      let place = from;
      for (const { name, read } of reading) {
        const cell = cells[place++] ?? null;
        row[name] = read === undefined || cell === null ? cell : read(cell);
      }
      return row;
    },
  };
  made.set(entity, columns);
  return columns;
}

/** What a cell is that is not a text. */
const readers: Readonly<Partial<Record<ColumnKind, (cell: string) => unknown>>> = {
  integer: Number,
  flag: (cell) => cell === 'true',
  time: timeFrom,
  json: (cell) => JSON.parse(cell),
};

const made = new Map<EntityName, Columns>();
