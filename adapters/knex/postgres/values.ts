import type { ColumnKind } from '../../../core/model/index.js';

/** A cell as the server sends it: text, whatever its type. */
export type CellText = string | null;

/** Whether a record could have this id. Others are known to be absent, and PostgreSQL would not take them for a `uuid`. */
export const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

/** A value as the driver takes it. Null for what no value of such a column can be equal to. */
export function encodeValue(value: unknown, kind: ColumnKind): unknown {
  switch (kind) {
    case 'id':
      return isId(value) ? value : null;
    case 'integer':
      return Number.isSafeInteger(value) ? value : null;
    case 'json':
      return value === null ? null : JSON.stringify(value);
    case 'time':
      // PostgreSQL counts no year 0: it is the year 1 before Christ.
      return typeof value === 'string' && value.startsWith('0000-') ? `0001${value.slice(4)} BC` : value;
    default:
      return value;
  }
}

/**
 * A point in time as rows spell it, from `2026-01-31T09:30:00.12+00:00` in JSON or `2026-01-31 09:30:00.12+00` elsewhere.
 * Trailing zeros of the fraction are left out there, and the offset is another one on a connection that the host has set to
 * another time zone.
 */
export function parseTime(cell: string): string {
  const end = cell.endsWith('+00:00') ? cell.length - 6 : cell.endsWith('+00') ? cell.length - 3 : 0;
  if (end === 19) return `${cell.slice(0, 10)}T${cell.slice(11, 19)}.000Z`;
  if (end > 20 && end < 24) return `${cell.slice(0, 10)}T${cell.slice(11, end)}${zeros[23 - end] ?? ''}Z`;
  const [, date, time, offset, era] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\S+?)( BC)?$/.exec(cell) ?? [];
  if (date === undefined || time === undefined || offset === undefined) {
    throw new TypeError(`The connection must have DateStyle ISO: it has sent the time ${cell}`);
  }
  const year = era === undefined ? date : `${String(Number(date.slice(0, 4)) - 1).padStart(4, '0')}${date.slice(4)}`;
  return new Date(`${year}T${time}${offset.length === 3 ? `${offset}:00` : offset}`).toISOString();
}

const zeros = ['', '0', '00'];
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
