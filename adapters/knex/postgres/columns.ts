import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { type CellText, parseTime } from './values.js';

/** The columns of an entity in the order in which its rows are written and read. */
export interface Columns {
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  /** A row from its cells as texts, the first of which stands at a place. */
  decode(cells: readonly CellText[], from: number): Record<string, unknown>;
}

export function columnsOf(entity: EntityName): Columns {
  const cached = columnsByEntity.get(entity);
  if (cached !== undefined) return cached;
  const declared = Object.entries<Column>(entities[entity].columns);
  const names = declared.map(([name]) => name);
  const kinds = declared.map(([, { kind }]) => kind);
  const parsers = declared.map(([name, { kind }]) => ({ name, read: cellParsers[kind] }));
  const columns: Columns = {
    names,
    kinds,
    decode: (cells, from) => {
      const row: Record<string, unknown> = {};
      let index = from;
      for (const { name, read } of parsers) {
        const cell = cells[index++] ?? null;
        row[name] = read === undefined || cell === null ? cell : read(cell);
      }
      return row;
    },
  };
  columnsByEntity.set(entity, columns);
  return columns;
}

/** What a cell is that is not a text. */
const cellParsers: Readonly<Partial<Record<ColumnKind, (cell: string) => unknown>>> = {
  integer: Number,
  flag: (cell) => cell === 'true',
  time: parseTime,
  json: (cell) => JSON.parse(cell),
};

const columnsByEntity = new Map<EntityName, Columns>();
