/** The source of ids, secrets and random numbers. With a seeded source, tests of a whole service are reproducible. */
export interface Ids {
  /** New ids of records, as many as `count`: UUIDs of version 7, ascending, in lower case. `now` is the time in them. */
  uuids(count: number, now: number): string[];
  /** Random base62 characters, as many as `length`. In production they must be unpredictable. */
  secret(length: number): string;
  /** A number from 0 (included) to 1 (excluded), for jitter only. */
  random(): number;
}
