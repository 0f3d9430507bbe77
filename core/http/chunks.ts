import type { SerializedRecord } from '../operations/contract/operation.js';

const openingBracket = Buffer.from('[');
const closingBracket = Buffer.from(']');

/** Joins serialized records to the chunks of one JSON array. Uses loops because `flat` takes twenty times as long. */
export function joinAsArray(records: readonly SerializedRecord[]): Uint8Array[] {
  const chunks: Uint8Array[] = [openingBracket];
  for (const record of records) for (const chunk of record) chunks.push(chunk);
  if (records.length > 0) dropLastComma(chunks);
  chunks.push(closingBracket);
  return chunks;
}

/** The chunks of one record without the comma that its last chunk ends with. */
export const asObject = (record: SerializedRecord): Uint8Array[] => dropLastComma([...record]);

function dropLastComma(chunks: Uint8Array[]): Uint8Array[] {
  const last = chunks.pop();
  if (last) chunks.push(last.subarray(0, -1));
  return chunks;
}
