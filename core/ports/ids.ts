/** Where identifiers, secrets and chance come from. A seeded one makes a whole service repeatable. */
export interface Ids {
  /** So many new record ids: UUIDs of version 7, ascending, in lower case. */
  uuids(count: number, now: number): string[];
  /** So many random base62 characters, fit for a secret. */
  secret(length: number): string;
  /** A number from 0 (included) to 1 (excluded), for jitter only. */
  random(): number;
}
