import {
  type Authenticator,
  type Authorizer,
  type Clock,
  type DependencyContainer,
  type Ids,
  type InjectionToken,
  membershipAuthorizer,
  type Storage,
  tokens,
} from '../../../core/index.js';
import type { ServiceHarness } from '../../service/service.js';

/** A fault of one port of a service, as a change to a correct port. */
export interface ServiceMutant {
  readonly name: string;
  /** Takes the harness of the correct service and returns the harness of the faulty one. */
  readonly mutate: (harness: ServiceHarness) => ServiceHarness;
}

/** What a part of the Api is made with. */
interface AuthParts {
  readonly storage: Storage;
  readonly clock: Clock;
}

/** Swaps one registration of the container for a mutant of it, which is made with the parts that are registered there. */
const partMutant = <T>(
  name: string,
  token: InjectionToken<T>,
  make: (container: DependencyContainer) => T,
): ServiceMutant => ({
  name,
  mutate: (harness) => ({
    ...harness,
    swapParts: (container) => void container.register(token, { useValue: make(container) }),
  }),
});

const authParts = (container: DependencyContainer): AuthParts => ({
  storage: container.resolve(tokens.storage),
  clock: container.resolve(tokens.clock),
});

/** Replaces the default authenticator, which reads tokens from the storage. */
export const authenticatorMutant = (name: string, make: (parts: AuthParts) => Authenticator): ServiceMutant =>
  partMutant(`auth ${name}`, tokens.authenticator, (container) => make(authParts(container)));

/** Replaces the default authorizer. */
export const authorizerMutant = (
  name: string,
  isAllowed: (original: Authorizer) => Authorizer['isAllowed'],
): ServiceMutant =>
  partMutant(`auth ${name}`, tokens.authorizer, (container) => ({
    isAllowed: isAllowed(membershipAuthorizer(container.resolve(tokens.storage))),
  }));

export const clockMutant = (name: string, make: (original: Clock) => Partial<Clock>): ServiceMutant =>
  partMutant(`clock ${name}`, tokens.clock, (container) => {
    const original = container.resolve(tokens.clock);
    return { ...original, ...make(original) };
  });

export const idsMutant = (name: string, make: (original: Ids) => Partial<Ids>): ServiceMutant =>
  partMutant(`ids ${name}`, tokens.ids, (container) => {
    const original = container.resolve(tokens.ids);
    return { ...original, ...make(original) };
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
