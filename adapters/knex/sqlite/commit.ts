import { type EntityName, queryDefinition } from '../../../core/model/index.js';
import type { Batch, Committed, Insert, Reference } from '../../../core/ports/index.js';
import { shapeOf } from '../compile/query-shape.js';
import type { Connections } from './connections.js';
import { violatedColumns } from './errors.js';
import { duplicateOf, RecordWriter } from './record-writer.js';
import type { Session } from './session.js';
import type { QueryStatements } from './statements.js';

/** Carries out a batch as one transaction. */
export async function commit(
  connections: Connections,
  statements: QueryStatements,
  prefix: string,
  batch: Batch,
): Promise<Committed> {
  const attempt = (apply: ApplyBatch) =>
    connections.transaction<Committed>(
      async (session) => {
        const records = new RecordWriter(session, prefix);
        const failure = (await checkExpectations(session, records, statements, batch)) ?? (await apply(records, batch));
        if (failure !== undefined) return failure;
        await records.updateCounters();
        await records.addEvents(batch.events);
        return { done: true };
      },
      (outcome) => 'done' in outcome,
    );
  try {
    return await attempt(updateInPlace);
  } catch (error) {
    if (violatedColumns(error) === undefined) throw error;
    return attempt(deleteThenInsert);
  }
}

/** Makes the changes of a batch; says why not, if they cannot be made. */
type ApplyBatch = (records: RecordWriter, batch: Batch) => Promise<Committed | undefined>;

async function checkExpectations(
  session: Session,
  records: RecordWriter,
  statements: QueryStatements,
  batch: Batch,
): Promise<Committed | undefined> {
  for (const expectation of batch.expect) {
    if ('none' in expectation) {
      const { none, args } = expectation;
      const shape = shapeOf(queryDefinition(none), args);
      if (shape.empty) continue;
      const { sql, bind } = statements.any(none, shape);
      if ((await session.all(sql, bind({ args, numbers: {} }))).length > 0) return { conflict: { none } };
    } else if ((await records.versionOf(expectation)) !== expectation.version) return conflict(expectation);
  }
  return undefined;
}

/** The cheap way, which fails with a unique constraint in cases where `takenOutFirst` does not. */
async function updateInPlace(records: RecordWriter, batch: Batch): Promise<Committed | undefined> {
  for (const removed of batch.remove) if (!(await records.remove(removed, removed.version))) return conflict(removed);
  for (const replaced of batch.replace) if (!(await records.replace(replaced))) return conflict(referenceOf(replaced));
  for (const touched of batch.touch) if (!(await records.touch(touched))) return conflict(touched);
  for (const [entity, rows] of groupByEntity(batch.insert)) await records.insert(entity, rows);
  return undefined;
}

/**
 * SQLite checks unique keys with every row, but two records of a batch may exchange theirs. So all that changes is taken
 * out before any of it is put back; a key that is still violated then is a duplicate indeed.
 */
async function deleteThenInsert(records: RecordWriter, batch: Batch): Promise<Committed | undefined> {
  for (const removed of batch.remove) if (!(await records.remove(removed, removed.version))) return conflict(removed);
  for (const { entity, row } of batch.replace) {
    const reference = { entity, id: row.id };
    if (!(await records.remove(reference, row.version - 1))) return conflict(reference);
  }
  for (const touched of batch.touch) if (!(await records.touch(touched))) return conflict(touched);
  for (const inserted of batch.insert) {
    const reference = referenceOf(inserted);
    if ((await records.versionOf(reference)) !== undefined) return conflict(reference);
  }
  for (const [entity, rows] of groupByEntity([...batch.replace, ...batch.insert])) {
    try {
      await records.insert(entity, rows);
    } catch (error) {
      const duplicate = duplicateOf(entity, error);
      if (duplicate === undefined) throw error;
      return { duplicate };
    }
  }
  return undefined;
}

function groupByEntity(list: readonly Insert[]): ReadonlyMap<EntityName, Insert['row'][]> {
  const found = new Map<EntityName, Insert['row'][]>();
  for (const { entity, row } of list) {
    const rows = found.get(entity);
    if (rows === undefined) found.set(entity, [row]);
    else rows.push(row);
  }
  return found;
}

const referenceOf = ({ entity, row }: Batch['insert'][number]): Reference => ({ entity, id: row.id });
const conflict = ({ entity, id }: Reference): Committed => ({ conflict: { entity, id } });
