/** The source of ids, secrets and random numbers. With a seeded source, a whole service is repeatable. */
export interface Ids {
  /** The given number of new record ids: UUIDs of version 7, ascending, in lower case. */
  uuids(count: number, now: number): string[];
  /** The given number of random base62 characters, suitable for a secret. */
  secret(length: number): string;
  /** A number from 0 (included) to 1 (excluded), for jitter only. */
  random(): number;
}
