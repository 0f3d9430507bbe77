import type { ColumnType, Counter, Index, Schema, Table } from '../schema/schema.js';

/**
 * A step from one version of the schema to the next, frozen once it is released: later changes of the model must not
 * change what an old migration did. That is why migrations spell tables out instead of deriving them.
 */
export interface Migration {
  /** 1 for the first one, and one more for each that follows. */
  readonly version: number;
  readonly name: string;
  readonly steps: readonly MigrationStep[];
}

export type MigrationStep =
  | { readonly create: string; readonly table: Table }
  /** A column added to a table with rows can only be a nullable one. */
  | { readonly add: string; readonly to: string; readonly type: ColumnType & `${string}?` }
  | { readonly index: string; readonly as: Index }
  | { readonly dropIndex: string }
  /** A new counter begins with the records that are there. */
  | { readonly counter: string; readonly as: Counter };

/** The schema after these migrations. */
export function schemaAfter(migrations: readonly Migration[]): Schema {
  const tables: Record<string, Table> = {};
  const indexes: Record<string, Index> = {};
  const counters: Record<string, Counter> = {};
  for (const step of migrations.flatMap(({ steps }) => steps)) {
    if ('create' in step) tables[step.create] = step.table;
    else if ('index' in step) indexes[step.index] = step.as;
    else if ('dropIndex' in step) delete indexes[step.dropIndex];
    else if ('counter' in step) counters[step.counter] = step.as;
    else {
      const table = tables[step.to];
      if (table === undefined) throw new TypeError(`No table ${step.to} to add ${step.add} to`);
      tables[step.to] = { ...table, columns: { ...table.columns, [step.add]: step.type } };
    }
  }
  return { tables, indexes, counters };
}

/** What is missing to get from one schema to the other, as the steps of a new migration; or why it takes more than that. */
export function stepsBetween(from: Schema, to: Schema): { steps: MigrationStep[]; byHand: string[] } {
  const steps: MigrationStep[] = [];
  const byHand: string[] = [];
  for (const [name, table] of Object.entries(to.tables)) {
    const before = from.tables[name];
    if (before === undefined) {
      steps.push({ create: name, table });
      continue;
    }
    for (const [column, type] of Object.entries(table.columns)) {
      const previous = before.columns[column];
      if (previous === type) continue;
      if (previous === undefined && type.endsWith('?')) steps.push({ add: column, to: name, type: type as 'text?' });
      else byHand.push(`${name}.${column}: ${previous ?? 'absent'} → ${type}`);
    }
    for (const column of Object.keys(before.columns)) {
      if (!(column in table.columns)) byHand.push(`${name}.${column}: ${before.columns[column]} → absent`);
    }
  }
  for (const name of Object.keys(from.tables)) if (!(name in to.tables)) byHand.push(`${name}: no longer needed`);
  for (const [index, as] of Object.entries(from.indexes)) {
    if (JSON.stringify(to.indexes[index]) !== JSON.stringify(as)) steps.push({ dropIndex: index });
  }
  for (const [index, as] of Object.entries(to.indexes)) {
    if (JSON.stringify(from.indexes[index]) !== JSON.stringify(as)) steps.push({ index, as });
  }
  for (const [counter, as] of Object.entries(to.counters)) {
    const previous = from.counters[counter];
    if (previous === undefined) steps.push({ counter, as });
    else if (JSON.stringify(previous) !== JSON.stringify(as)) byHand.push(`the counter ${counter} has another meaning`);
  }
  return { steps, byHand };
}
