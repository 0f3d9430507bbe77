import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { quoted } from '../names.js';
import { decoders, encoded, type Wire } from './values.js';

/** The columns of an entity in the order in which its rows are written and read. */
export interface Columns {
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  /** All of them as SQL, those of a table that has this alias. */
  list(alias?: string): string;
  encode(row: Readonly<Record<string, unknown>>): unknown[];
  decode(cells: readonly Wire[]): Record<string, unknown>;
}

export function columnsOf(entity: EntityName): Columns {
  const known = made.get(entity);
  if (known !== undefined) return known;
  const declared = Object.entries<Column>(entities[entity].columns);
  const names = declared.map(([name]) => name);
  const kinds = declared.map(([, { kind }]) => kind);
  const reading = declared.map(([name, { kind }]) => ({ name, read: decoders[kind] }));
  const columns: Columns = {
    names,
    kinds,
    list: (alias) => names.map((name) => (alias === undefined ? quoted(name) : `${alias}.${quoted(name)}`)).join(', '),
    encode: (row) => declared.map(([name, { kind }]) => encoded(row[name], kind)),
    decode: (cells) => {
      const row: Record<string, unknown> = {};
      let place = 0;
      for (const { name, read } of reading) {
        const cell = cells[place++] ?? null;
        row[name] = cell === null ? null : read(cell);
      }
      return row;
    },
  };
  made.set(entity, columns);
  return columns;
}

const made = new Map<EntityName, Columns>();
