import { type Column, type EntityName, entities } from '../../../core/model/index.js';

/** The columns of an entity in the order in which its rows are written and read as lists of cells. */
export interface Cells {
  readonly names: readonly string[];
  /** The cells of a row as SQLite and JSON have them: flags as 0 and 1, JSON as its text. */
  encode(row: Readonly<Record<string, unknown>>): unknown[];
  /** A row from cells that begin at a place of a list; JSON is parsed already. */
  decode(cells: readonly unknown[]): Record<string, unknown>;
}

export function cellsOf(entity: EntityName): Cells {
  const known = made.get(entity);
  if (known !== undefined) return known;
  const columns = Object.entries<Column>(entities[entity].columns);
  const names = columns.map(([name]) => name);
  const encoders = columns.map(([, { kind }]) => (kind === 'json' ? jsonText : kind === 'flag' ? zeroOrOne : asIs));
  const flags = columns.map(([, { kind }]) => kind === 'flag');
  const cells: Cells = {
    names,
    encode: (row) => names.map((name, place) => encoders[place]?.(row[name])),
    decode: (list) => {
      const row: Record<string, unknown> = {};
      for (const [place, name] of names.entries()) {
        const cell = list[place];
        row[name] = flags[place] && cell !== null ? cell === 1 : cell;
      }
      return row;
    },
  };
  made.set(entity, cells);
  return cells;
}

const made = new Map<EntityName, Cells>();

const asIs = (value: unknown) => value;
const zeroOrOne = (value: unknown) => (value === null ? null : Number(value));
const jsonText = (value: unknown) => (value === null ? null : JSON.stringify(value));
