import type { EntityName, QueryName } from '../../core/model/index.js';
import type { Batch, Committed, Reference } from '../../core/ports/index.js';
import type { PreparedQuery } from './prepared-query.js';
import { deepFreeze, type StoredRow } from './record.js';
import type { Table } from './table.js';

interface CommitTarget {
  readonly tables: Readonly<Record<EntityName, Table>>;
  readonly access: (query: QueryName) => PreparedQuery;
}

/** Applies a batch except its events: all expectations are checked before any row changes. */
export function commit({ tables, access }: CommitTarget, batch: Batch): Committed {
  const failure = checkExpectations() ?? checkVersions() ?? checkUniqueKeys();
  if (failure !== undefined) return failure;

  for (const { entity, id } of batch.remove) tables[entity].remove(id);
  for (const { entity, row } of batch.replace) tables[entity].replace(deepFreeze(row));
  for (const { entity, id } of batch.touch) {
    const row = tables[entity].get(id);
    if (row !== undefined) tables[entity].replace(deepFreeze({ ...row, version: row.version + 1 }));
  }
  for (const { entity, row } of batch.insert) tables[entity].insert(deepFreeze(row));
  return { done: true };

  function checkExpectations(): Committed | undefined {
    for (const expectation of batch.expect) {
      if ('none' in expectation) {
        if (access(expectation.none).count(expectation.args, 1) > 0) return { conflict: { none: expectation.none } };
      } else if (versionOf(expectation) !== expectation.version) return conflict(expectation);
    }
    return undefined;
  }

  function checkVersions(): Committed | undefined {
    for (const removed of batch.remove) if (versionOf(removed) !== removed.version) return conflict(removed);
    for (const { entity, row } of batch.replace) {
      if (versionOf({ entity, id: row.id }) !== row.version - 1) return conflict({ entity, id: row.id });
    }
    for (const touched of batch.touch) if (versionOf(touched) === undefined) return conflict(touched);
    for (const { entity, row } of batch.insert) {
      if (versionOf({ entity, id: row.id }) !== undefined) return conflict({ entity, id: row.id });
    }
    return undefined;
  }

  /** Checks the state after the batch, so that two records may exchange their unique keys. */
  function checkUniqueKeys(): Committed | undefined {
    const releasedRecords = new Set(
      [...batch.remove, ...batch.replace.map(({ entity, row }) => ({ entity, id: row.id }))].map(
        ({ entity, id }) => `${entity} ${id}`,
      ),
    );
    const takenKeys = new Set<string>();
    for (const { entity, row } of [...batch.replace, ...batch.insert]) {
      for (const { key, values } of tables[entity].uniqueKeysOf(row)) {
        const owner = tables[entity].findByUniqueKey(key, values);
        const uniqueKey = `${entity} ${key} ${values}`;
        if (takenKeys.has(uniqueKey) || (owner !== undefined && !releasedRecords.has(`${entity} ${owner}`))) {
          return { duplicate: { entity, key } };
        }
        takenKeys.add(uniqueKey);
      }
    }
    return undefined;
  }

  function versionOf({ entity, id }: Reference): StoredRow['version'] | undefined {
    return tables[entity].get(id)?.version;
  }
}

const conflict = ({ entity, id }: Reference): Committed => ({ conflict: { entity, id } });
