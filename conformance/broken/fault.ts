import type { Auth, Clock, Ids, Storage } from '../../core/index.js';
import type { GivenPorts, ServiceHarness } from '../service/service.js';

/** A way for one of the ports of a service to be wrong, as a small change of a good one. */
export interface ServiceFault {
  readonly name: string;
  /** The harness of the good service in, that of the broken one out. */
  readonly breaks: (harness: ServiceHarness) => ServiceHarness;
}

/** Puts another auth port in the place of the one that looks tokens up in the storage. */
export const auth = (name: string, make: (given: GivenPorts) => Auth): ServiceFault => ({
  name: `auth ${name}`,
  breaks: (harness) => ({ ...harness, ports: (given) => ({ auth: make(given) }) }),
});

export const clock = (name: string, make: (good: Clock) => Partial<Clock>): ServiceFault => ({
  name: `clock ${name}`,
  breaks: (harness) => ({ ...harness, ports: ({ clock: good }) => ({ clock: { ...good, ...make(good) } }) }),
});

export const ids = (name: string, make: (good: Ids) => Partial<Ids>): ServiceFault => ({
  name: `ids ${name}`,
  breaks: (harness) => ({ ...harness, ports: ({ ids: good }) => ({ ids: { ...good, ...make(good) } }) }),
});

/** Changes what a storage gives its readers of the outbox. */
export const events = (name: string, make: (good: Storage['events']) => Storage['events']): ServiceFault => ({
  name: `events ${name}`,
  breaks: (harness) => ({
    ...harness,
    async storage() {
      const good = await harness.storage();
      return { ...good, events: make((after, limit) => good.events(after, limit)) };
    },
  }),
});
