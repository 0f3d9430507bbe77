import { physicalName } from './identifiers.js';
import { postgresSchemaDialect } from './postgres/dialect.js';
import { countStatement } from './schema/ddl.js';
import { derivedSchema } from './schema/derived-schema.js';
import { sqliteSchemaDialect } from './sqlite/dialect.js';

const schemaDialects = { postgres: postgresSchemaDialect, sqlite: sqliteSchemaDialect };

/**
 * Statements that count the records of every counter anew. Run them after other SQL than the storage's has written rows, in
 * the same transaction, while nobody else writes. Until then counters and pages far from the first are wrong.
 */
export function recountStatements(client: keyof typeof schemaDialects, tablePrefix = 'millrace_'): string[] {
  const { counters } = derivedSchema();
  return [
    schemaDialects[client].builder()(physicalName(tablePrefix, 'tallies')).delete().toQuery(),
    ...Object.entries(counters).map(([counter, as]) =>
      countStatement(counter, as, tablePrefix, schemaDialects[client]),
    ),
  ];
}
