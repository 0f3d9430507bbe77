import { type Column, entities, entityNames } from '../../../core/model/index.js';
import { tableOf } from '../names.js';
import { entriesTablesOf } from './entries.js';
import { derivedIndexes } from './indexes.js';
import type { ColumnType, Schema, Table, Tally } from './schema.js';
import { talliesOf } from './tallies.js';

/** The schema that the model calls for now. What a database has comes from the migrations; a test compares the two. */
export function derivedSchema(): Schema {
  const tables: Record<string, Table> = {
    events: {
      columns: { sequence: 'counter', type: 'text', organization_id: 'id', at: 'time', data: 'json' },
      key: ['sequence'],
    },
    sequences: { columns: { name: 'text', value: 'integer' }, key: ['name'] },
    tallies: {
      columns: { owner: 'id', tally: 'text', value: 'text', slot: 'integer', count: 'integer' },
      key: ['owner', 'tally', 'value', 'slot'],
    },
  };
  const tallies: Record<string, Tally> = {};
  for (const name of entityNames) {
    const columns: Readonly<Record<string, Column>> = entities[name].columns;
    const typeOf = (column: string): ColumnType => {
      const { kind, nullable } = columns[column] ?? { kind: 'text', nullable: true };
      return nullable ? `${kind}?` : kind;
    };
    const typed = (chosen: readonly string[]) => Object.fromEntries(chosen.map((column) => [column, typeOf(column)]));
    Object.assign(tallies, Object.fromEntries(talliesOf(name)));
    tables[tableOf(name)] = { columns: typed(Object.keys(columns)), key: ['id'] };
    for (const side of entriesTablesOf(name)) {
      tables[side.name] = {
        columns: { record_id: 'id', digest: 'text', ...typed(side.copied) },
        key: ['record_id', 'digest'],
      };
    }
  }
  return { tables, indexes: derivedIndexes(), tallies };
}
