import assert from 'node:assert/strict';
import type { Api, Storage } from '../../../core/index.js';
import { isApiError } from '../../../core/index.js';
import type { Case } from '../../case.js';
import { organizationFixture } from '../fixture.js';
import { fetchRecords, type OrganizationRecords } from '../records.js';
import type { Service, ServiceHarness } from '../service.js';
import { type ServicePair, withServicePair } from '../storage-wrappers.js';

/** The outcome of a change. */
export interface Outcome {
  readonly status: number;
  readonly message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the race knows the type of the reply
  readonly reply?: any;
}

/** One of the two changes of a race. It runs through the service that it is given. */
export type Change = (service: Service) => Promise<Outcome>;

/** The change that had decided before the other one committed. Null if both ran at the same time. */
export type StaleSide = 'one' | 'other' | null;

/** The two changes of a race, and the check afterwards. */
export interface Race {
  readonly id: string;
  readonly cites: string;
  /** Prepares the records. Returns both changes and the check of the outcome. */
  start(
    service: Service,
    records: OrganizationRecords,
    storage: Storage,
  ): Promise<{
    readonly one: Change;
    readonly other: Change;
    check(one: Outcome, other: Outcome, staleSide: StaleSide): Promise<void> | void;
  }>;
}

/** A change over HTTP. */
export const request =
  (method: string, target: string, body?: object): Change =>
  async (service) => {
    const response = await service.send(method, target, body === undefined ? {} : { body });
    return { status: response.status, message: response.body?.message, reply: response.body };
  };

/** A change by a runtime or provisioning call. The status of its error is the outcome. */
export const apiCall =
  (call: (api: Api) => Promise<unknown>): Change =>
  async (service) => {
    try {
      return { status: 200, reply: await call(service.api) };
    } catch (error) {
      if (isApiError(error)) return { status: error.output.statusCode, message: error.message };
      throw error;
    }
  };

/**
 * Makes a case of a race. Each change is overtaken by the other one between its decision and its commit. Then both start at the
 * same time, on one Api and on two Apis with the same storage.
 */
export function raceCase(race: Race): Case<ServiceHarness> {
  const interleavings: readonly (readonly [
    StaleSide,
    (pair: ServicePair, one: Change, other: Change) => Promise<Outcome[]>,
  ])[] = [
    [
      'one',
      async ({ service, other: second, interleave }, one, other) => {
        const [outer, inner] = await interleave(
          () => one(service),
          () => other(second),
        );
        return [outer, inner ?? (await other(second))];
      },
    ],
    [
      'other',
      async ({ service, other: second, interleave }, one, other) => {
        const [outer, inner] = await interleave(
          () => other(second),
          () => one(service),
        );
        return [inner ?? (await one(service)), outer];
      },
    ],
    [null, ({ service }, one, other) => Promise.all([one(service), other(service)])],
    [null, ({ service, other: second }, one, other) => Promise.all([one(service), other(second)])],
    [
      null,
      ({ service, other: second }, one, other) =>
        Promise.all([other(second), one(service)]).then((both) => both.toReversed()),
    ],
  ];
  return {
    id: race.id,
    cites: race.cites,
    async run(harness) {
      for (const [staleSide, runInterleaving] of interleavings) {
        await withServicePair(harness, organizationFixture('acme'), async (pair) => {
          const { service, storage } = pair;
          const authenticatedPair = {
            ...pair,
            other: { ...pair.other, tokens: service.tokens, send: sendAs(pair.other, service) },
          };
          const started = await race.start(service, await fetchRecords(service, 'acme'), storage);
          const [one, other] = await runInterleaving(authenticatedPair, started.one, started.other);
          assert.ok(one && other);
          await started.check(one, other, staleSide);
        });
      }
    },
  };
}

/** The second service has no list of tokens, so its requests use the tokens of the first. */
const sendAs =
  (other: Service, { tokens }: Service): Service['send'] =>
  (method, target, options = {}) =>
    other.send(method, target, { token: Object.values(tokens)[0] ?? null, ...options });

/** Expects that one of two equal changes succeeded and the other was refused with this message. */
export function expectOneWinner(success: number, refused: number, message: string) {
  return (one: Outcome, other: Outcome): void => {
    const sorted = [one, other].toSorted((a, b) => a.status - b.status);
    assert.deepEqual(
      sorted.map(({ status }) => status),
      [success, refused],
    );
    assert.equal(sorted[1]?.message, message);
  };
}
