import { physicalName, quoteIdentifier } from './identifiers.js';
import { postgresSchemaDialect } from './postgres/dialect.js';
import { ddlStatement } from './schema/ddl.js';
import { derivedSchema } from './schema/derived-schema.js';
import { sqliteSchemaDialect } from './sqlite/dialect.js';

const schemaDialects = { postgres: postgresSchemaDialect, sqlite: sqliteSchemaDialect };

/**
 * Statements that count the records of every tally anew: to be run after rows were written by other SQL than the storage's,
 * in the same transaction, while nobody else writes. Until then counters and pages far from the first would be wrong.
 */
export function recountStatements(client: keyof typeof schemaDialects, tablePrefix = 'millrace_'): string[] {
  const { counters } = derivedSchema();
  return [
    `delete from ${quoteIdentifier(physicalName(tablePrefix, 'tallies'))}`,
    ...Object.entries(counters).map(([counter, as]) =>
      ddlStatement({ counter, as }, tablePrefix, schemaDialects[client]),
    ),
  ];
}
