import { type Column, entities, entityNames } from '../../../core/model/index.js';
import { tableOf } from '../identifiers.js';
import { countersOf } from './counters.js';
import { derivedIndexes } from './derived-indexes.js';
import { entriesTablesOf } from './entries-tables.js';
import type { ColumnType, Counter, Schema, Table } from './schema.js';

/** The schema that the model requires. The migrations create the schema of a database; a test compares the two. */
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
  const counters: Record<string, Counter> = {};
  for (const name of entityNames) {
    const columns: Readonly<Record<string, Column>> = entities[name].columns;
    const typeOf = (column: string): ColumnType => {
      const { kind, nullable } = columns[column] ?? { kind: 'text', nullable: true };
      return nullable ? `${kind}?` : kind;
    };
    const typesOf = (chosen: readonly string[]) => Object.fromEntries(chosen.map((column) => [column, typeOf(column)]));
    Object.assign(counters, Object.fromEntries(countersOf(name)));
    tables[tableOf(name)] = { columns: typesOf(Object.keys(columns)), key: ['id'] };
    for (const entriesTable of entriesTablesOf(name)) {
      tables[entriesTable.name] = {
        columns: { record_id: 'id', digest: 'text', ...typesOf(entriesTable.copiedColumns) },
        key: ['record_id', 'digest'],
      };
    }
  }
  return { tables, indexes: derivedIndexes(), counters };
}
