import type { Auth, Clock, Ids, Storage } from '../../../core/index.js';
import type { DefaultPorts, ServiceHarness } from '../../service/service.js';

/** A way for one of the ports of a service to be wrong, as a small change of a good one. */
export interface ServiceMutant {
  readonly name: string;
  /** The harness of the good service in, that of the broken one out. */
  readonly mutate: (harness: ServiceHarness) => ServiceHarness;
}

/** Puts another auth port in the place of the one that looks tokens up in the storage. */
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

/** Changes what a storage gives its readers of the outbox. */
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
