import type { Storage } from '../../../core/ports/index.js';
import { overrideStorage } from '../../service/storage-wrappers.js';

/** More results than this are not remembered. */
const maxShared = 20_000;

/**
 * The same storage, but results of the same content are the same object, whatever was asked: rows, lists of them, counts.
 * The port allows that; a caller that modifies a result, or tells records apart by reference, shows it here.
 */
export function sharingStorage(storage: Storage): Storage {
  const known = new Map<string, unknown>();
  function shared<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const key = JSON.stringify(value);
    const existing = known.get(key);
    if (existing !== undefined) return existing as T;
    const parts = Array.isArray(value)
      ? value.map(shared)
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shared(part)]));
    if (known.size >= maxShared) known.clear();
    known.set(key, parts);
    return parts as T;
  }
  return overrideStorage(storage, {
    find: async (query, args, window) => shared(await storage.find(query, args, window)),
    load: async (query, ids) => shared(await storage.load(query, ids)),
    select: async (query, args, limit) => shared(await storage.select(query, args, limit)),
    count: async (query, args, by) => shared(await storage.count(query, args, by)),
    commit: async (batch) => shared(await storage.commit(batch)),
    events: async (after, limit) => shared(await storage.events(after, limit)),
  });
}

/** The same storage, but everything that it is given and gives is frozen: a caller that modifies any of it gets an error. */
export const freezingStorage = (storage: Storage): Storage =>
  overrideStorage(storage, {
    find: async (query, args, window) => frozen(await storage.find(query, frozen(args), frozen(window))),
    load: async (query, ids) => frozen(await storage.load(query, frozen(ids))),
    select: async (query, args, limit) => frozen(await storage.select(query, frozen(args), limit)),
    count: async (query, args, by) => frozen(await storage.count(query, frozen(args), by)),
    commit: async (batch) => frozen(await storage.commit(frozen(batch))),
    events: async (after, limit) => frozen(await storage.events(after, limit)),
  });

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
