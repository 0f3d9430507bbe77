import { physical, quoted } from './names.js';
import { postgresSpelling } from './postgres/dialect.js';
import { statementOf } from './schema/ddl.js';
import { derivedSchema } from './schema/derived.js';
import { sqliteSpelling } from './sqlite/dialect.js';

const spellings = { postgres: postgresSpelling, sqlite: sqliteSpelling };

/**
 * Statements that count the records of every tally anew: to be run after rows were written by other SQL than the storage's,
 * in the same transaction, while nobody else writes. Until then counters and pages far from the first would be wrong.
 */
export function recountStatements(client: keyof typeof spellings, tablePrefix = 'millrace_'): string[] {
  const { tallies } = derivedSchema();
  return [
    `delete from ${quoted(physical(tablePrefix, 'tallies'))}`,
    ...Object.entries(tallies).map(([tally, as]) => statementOf({ tally, as }, tablePrefix, spellings[client])),
  ];
}
