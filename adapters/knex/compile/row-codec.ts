import { type Column, type EntityName, entities } from '../../../core/model/index.js';

/** The columns of an entity in the order in which its rows are written and read as lists of cells. */
export interface RowCodec {
  readonly names: readonly string[];
  /** The cells of a row as SQLite and JSON have them: flags as 0 and 1, JSON as its text. */
  encode(row: Readonly<Record<string, unknown>>): unknown[];
  /** A row from cells that begin at a place of a list; JSON is parsed already. */
  decode(cells: readonly unknown[]): Record<string, unknown>;
}

export function rowCodecOf(entity: EntityName): RowCodec {
  const cached = codecs.get(entity);
  if (cached !== undefined) return cached;
  const columns = Object.entries<Column>(entities[entity].columns);
  const names = columns.map(([name]) => name);
  const encoders = columns.map(([, { kind }]) =>
    kind === 'json' ? jsonText : kind === 'flag' ? flagToInteger : identity,
  );
  const flags = columns.map(([, { kind }]) => kind === 'flag');
  const cells: RowCodec = {
    names,
    encode: (row) => names.map((name, index) => encoders[index]?.(row[name])),
    decode: (list) => {
      const row: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) {
        const cell = list[index];
        row[name] = flags[index] && cell !== null ? cell === 1 : cell;
      }
      return row;
    },
  };
  codecs.set(entity, cells);
  return cells;
}

const codecs = new Map<EntityName, RowCodec>();

const identity = (value: unknown) => value;
const flagToInteger = (value: unknown) => (value === null ? null : Number(value));
const jsonText = (value: unknown) => (value === null ? null : JSON.stringify(value));
