import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { fetchHandler } from '../../adapters/fetch/index.js';
import { knexStorage } from '../../adapters/knex/index.js';
import { koaMiddleware } from '../../adapters/koa/index.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { serve, serveListener } from '../../adapters/node/serve.js';
import type { Storage } from '../../core/ports/index.js';
import { serviceLevel, storageLevel, transportLevel } from '../runner/levels.js';
import type { ServiceHarness } from '../service/service.js';
import { inProcessTransport, overSockets } from '../transport/index.js';
import type { Subject } from './mutation-check.js';
import { authMutants } from './service/auth.js';
import { portMutants } from './service/clock-ids-events.js';
import type { ServiceMutant } from './service/mutant.js';
import { commitMutants } from './storage/commit.js';
import { concurrentReadMutants } from './storage/concurrent-reads.js';
import { freezingStorage, sharingStorage } from './storage/correct-storages.js';
import { countMutants } from './storage/count.js';
import { crashMutants, onJournals } from './storage/crash-recovery.js';
import { findMutants } from './storage/find.js';
import { applyStorageMutant as brokenStorage, storageMutants as storageFaults } from './storage/mutants.js';
import { applyTransportMutant as brokenTransport, transportMutants as transportFaults } from './transport/mutants.js';

/** A whole transport behind a host that has everything: what the faults of transports are changes of. */
const koa = overSockets((api, { prefix, bodyParser: withBodyParser }) => {
  const app = new Koa();
  if (withBodyParser) app.use(bodyParser());
  app.use(koaMiddleware(api, { prefix }));
  app.use((ctx) => {
    ctx.body = 'the host';
  });
  return serveListener(app.callback());
});
const allCapabilities = [
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
] as const;

const node = overSockets((api, { prefix }) => serve(api, { prefix }));

const inMemory: ServiceHarness = { storage: async () => memoryStorage() };
const levelFor = ({ storage, ...more }: ServiceHarness) => serviceLevel({ open: storage }, more);

type StorageWrapper = (storage: Storage) => Storage;
const serviceOver = (wrap: StorageWrapper): ServiceHarness => ({ storage: async () => wrap(memoryStorage()) });
const inMemoryAs = (wrap: StorageWrapper) => ({
  open: () => wrap(memoryStorage()),
  reopen: () => wrap(memoryStorage()),
});

/** Cases that are about ports, which in the order of the suite come after a hundred that are not. */
const portCases = /^(auth|access-token|agents|events)\.|^(requests\.root|builds\.webhook-url)$/;

export const serviceSubject = (mutant: ServiceMutant): Subject => {
  const { cases, ...rest } = levelFor(mutant.mutate(inMemory));
  const rank = ({ id }: { readonly id: string }): number => (portCases.test(id) ? 0 : 1);
  const level = { ...rest, cases: cases.toSorted((one, other) => rank(one) - rank(other)) };
  return { kind: 'service', name: mutant.name, isMutant: true, level };
};

/** Faults of the ports of a service that the cases of the service have to catch. */
export const serviceMutantSubjects: readonly Subject[] = [...authMutants, ...portMutants].map(serviceSubject);

/** Files of logs, in a directory that is gone when this process ends. */
function journalFiles(): () => string {
  let directory: string | undefined;
  let count = 0;
  return () => {
    if (directory === undefined) {
      const fresh = mkdtempSync(join(tmpdir(), 'millrace-logs-'));
      process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));
      directory = fresh;
    }
    return join(directory, `${++count}.log`);
  };
}

/** Faults that show when a process is killed, and then only: no other case is asked. */
function crashSubject(name: string): Subject {
  const { cases, ...rest } = storageLevel(onJournals(name, journalFiles()));
  const level = { ...rest, cases: cases.filter(({ needs }) => needs.includes('restart')) };
  return { kind: 'storage', name, isMutant: true, level };
}

/** Everything that is broken on purpose. */
export const mutantSubjects: readonly Subject[] = [
  ...[...storageFaults, ...findMutants, ...concurrentReadMutants, ...commitMutants, ...countMutants].map(
    (mutant): Subject => {
      const open = () => brokenStorage(memoryStorage(), mutant);
      return { kind: 'storage', name: mutant.name, isMutant: true, level: storageLevel({ open, reopen: open }) };
    },
  ),
  ...Object.keys(crashMutants).map(crashSubject),
  ...transportFaults.map(
    (mutant): Subject => ({
      kind: 'transport',
      name: mutant.name,
      isMutant: true,
      level: transportLevel(brokenTransport(koa, mutant), allCapabilities),
    }),
  ),
  ...serviceMutantSubjects,
];

/** What the broken ones are changes of, and their like. Close gives back the files of those that have some. */
export async function correctSubjects(): Promise<{ readonly subjects: readonly Subject[]; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const files = new WeakMap<object, string>();
  let opened = 0;
  const sqlite = (filename = join(directory, `${opened++}.db`)) => {
    const storage = knexStorage({ client: 'sqlite', filename });
    files.set(storage, filename);
    return storage;
  };
  const correctSubject = (kind: Subject['kind'], name: string, level: Subject['level']) => ({
    kind,
    name,
    isMutant: false,
    level,
  });
  return {
    subjects: [
      correctSubject('storage', 'memory', storageLevel({ open: memoryStorage, reopen: memoryStorage })),
      correctSubject(
        'storage',
        'sqlite',
        storageLevel({ open: () => sqlite(), reopen: (first) => sqlite(files.get(first)) }),
      ),
      correctSubject('storage', 'shares its results', storageLevel(inMemoryAs(sharingStorage))),
      correctSubject('storage', 'freezes its results', storageLevel(inMemoryAs(freezingStorage))),
      correctSubject('storage', 'logged', storageLevel(onJournals('', journalFiles()))),
      correctSubject('transport', 'koa', transportLevel(koa, allCapabilities)),
      correctSubject(
        'transport',
        'node',
        transportLevel(node, ['sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'alone']),
      ),
      correctSubject(
        'transport',
        'fetch',
        transportLevel({ open: async (api, { prefix } = {}) => inProcessTransport(fetchHandler(api, { prefix })) }, [
          'malformed-escapes',
          'alone',
        ]),
      ),
      correctSubject('service', 'memory', levelFor(inMemory)),
      correctSubject('service', 'over a storage that shares its results', levelFor(serviceOver(sharingStorage))),
      correctSubject('service', 'over a storage that freezes its results', levelFor(serviceOver(freezingStorage))),
    ],
    close: () => rm(directory, { recursive: true }),
  };
}
