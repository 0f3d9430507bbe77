import type { Timestamp } from '../model/index.js';

export const formatTimestamp = (milliseconds: number): Timestamp => new Date(milliseconds).toISOString();

const iso8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?)?$/;

/**
 * Parses a strict ISO 8601 date or date-time (decisions 1). Without an offset it is UTC. Decimals after the third are cut off.
 * Undefined for any other text, and for days and hours that do not exist.
 */
export function parseTimestamp(value: string): Timestamp | undefined {
  const match = iso8601.exec(value);
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', decimals = '', , sign, offsetHour, offsetMinute] =
    match;
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Number(decimals.slice(0, 3).padEnd(3, '0'));
  const local = new Date(0);
  local.setUTCFullYear(fields[0], fields[1] - 1, fields[2]);
  local.setUTCHours(fields[3], fields[4], fields[5], milliseconds);
  const asWritten = [
    local.getUTCFullYear(),
    local.getUTCMonth() + 1,
    local.getUTCDate(),
    local.getUTCHours(),
    local.getUTCMinutes(),
    local.getUTCSeconds(),
  ];
  if (asWritten.some((part, index) => part !== fields[index])) return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -1 : 1);
  const shifted = new Date(local.getTime() - offset * 60_000);
  const text = shifted.toISOString();
  return text.length === 24 && shifted.getUTCFullYear() > 0 ? text : undefined;
}
