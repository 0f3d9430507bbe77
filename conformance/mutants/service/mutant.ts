import type { Auth, Clock, Ids, Storage } from '../../../core/index.js';
import type { DefaultPorts, ServiceHarness } from '../../service/service.js';

/** A fault of one port of a service, as a change to a correct port. */
export interface ServiceMutant {
  readonly name: string;
  /** Takes the harness of the correct service and returns the harness of the faulty one. */
  readonly mutate: (harness: ServiceHarness) => ServiceHarness;
}

/** Replaces the default auth port, which looks tokens up in the storage. */
export const authMutant = (name: string, make: (defaults: DefaultPorts) => Auth): ServiceMutant => ({
  name: `auth ${name}`,
  mutate: (harness) => ({ ...harness, overridePorts: (defaults) => ({ auth: make(defaults) }) }),
});

export const clockMutant = (name: string, make: (original: Clock) => Partial<Clock>): ServiceMutant => ({
  name: `clock ${name}`,
  mutate: (harness) => ({
    ...harness,
    overridePorts: ({ clock: original }) => ({ clock: { ...original, ...make(original) } }),
  }),
});

export const idsMutant = (name: string, make: (original: Ids) => Partial<Ids>): ServiceMutant => ({
  name: `ids ${name}`,
  mutate: (harness) => ({
    ...harness,
    overridePorts: ({ ids: original }) => ({ ids: { ...original, ...make(original) } }),
  }),
});

/** Changes the events that the storage returns from its outbox. */
export const eventsMutant = (
  name: string,
  make: (original: Storage['events']) => Storage['events'],
): ServiceMutant => ({
  name: `events ${name}`,
  mutate: (harness) => ({
    ...harness,
    async storage() {
      const original = await harness.storage();
      return { ...original, events: make((after, limit) => original.events(after, limit)) };
    },
  }),
});
