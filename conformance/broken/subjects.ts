// biome-ignore-all lint/style/noRestrictedImports: the suite is handed its adapters, and this is the hand
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
import { serviceLevel, storageLevel, transportLevel } from '../runner/levels.js';
import type { ServiceHarness } from '../service/service.js';
import { broken as brokenStorage, faults as storageFaults } from '../storage/broken.js';
import { askingAtOnceFaults } from '../storage/broken-asking-at-once.js';
import { committingFaults } from '../storage/broken-committing.js';
import { countingFaults } from '../storage/broken-counting.js';
import { findingFaults } from '../storage/broken-finding.js';
import { onLogs, restartingFaults } from '../storage/broken-restarting.js';
import { broken as brokenTransport, faults as transportFaults } from '../transport/broken.js';
import { inProcessTransport, overSockets } from '../transport/index.js';
import { authFaults } from './auth.js';
import type { Subject } from './bite.js';
import type { ServiceFault } from './fault.js';
import { portFaults } from './time-and-chance.js';

/** A whole transport behind a host that has everything: what the faults of transports are changes of. */
const koa = overSockets((api, { prefix, bodyParser: parses }) => {
  const app = new Koa();
  if (parses) app.use(bodyParser());
  app.use(koaMiddleware(api, { prefix }));
  app.use((ctx) => {
    ctx.body = 'the host';
  });
  return serveListener(app.callback());
});
const everything = ['sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'body-parser', 'own-routes'] as const;

const node = overSockets((api, { prefix }) => serve(api, { prefix }));

const inMemory: ServiceHarness = { storage: async () => memoryStorage() };
const levelOf = ({ storage, ...more }: ServiceHarness) => serviceLevel({ open: storage }, more);

/** Cases that are about ports, which in the order of the suite come after a hundred that are not. */
const aboutPorts = /^(auth|access-token|agents|events)\.|^(requests\.root|builds\.webhook-url)$/;

export const serviceSubject = (fault: ServiceFault): Subject => {
  const { trials, ...rest } = levelOf(fault.breaks(inMemory));
  const rank = ({ id }: { readonly id: string }): number => (aboutPorts.test(id) ? 0 : 1);
  const level = { ...rest, trials: trials.toSorted((one, other) => rank(one) - rank(other)) };
  return { kind: 'service', name: fault.name, broken: true, level };
};

/** Faults of the ports of a service that the cases of the service have to catch. */
export const brokenServices: readonly Subject[] = [...authFaults, ...portFaults].map(serviceSubject);

/** Files of logs, in a directory that is gone when this process ends. */
function logFiles(): () => string {
  let directory: string | undefined;
  let made = 0;
  return () => {
    if (directory === undefined) {
      const fresh = mkdtempSync(join(tmpdir(), 'millrace-logs-'));
      process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));
      directory = fresh;
    }
    return join(directory, `${++made}.log`);
  };
}

/** Faults that show when a process is killed, and then only: no other case is asked. */
function killedSubject(name: string): Subject {
  const { trials, ...rest } = storageLevel(onLogs(name, logFiles()));
  const level = { ...rest, trials: trials.filter(({ needs }) => needs.includes('restart')) };
  return { kind: 'storage', name, broken: true, level };
}

/** Everything that is broken on purpose. */
export const brokenSubjects: readonly Subject[] = [
  ...[...storageFaults, ...findingFaults, ...askingAtOnceFaults, ...committingFaults, ...countingFaults].map(
    (fault): Subject => {
      const open = () => brokenStorage(memoryStorage(), fault);
      return { kind: 'storage', name: fault.name, broken: true, level: storageLevel({ open, again: open }) };
    },
  ),
  ...Object.keys(restartingFaults).map(killedSubject),
  ...transportFaults.map(
    (fault): Subject => ({
      kind: 'transport',
      name: fault.name,
      broken: true,
      level: transportLevel(brokenTransport(koa, fault), everything),
    }),
  ),
  ...brokenServices,
];

/** What the broken ones are changes of, and their like. Close gives back the files of those that have some. */
export async function goodSubjects(): Promise<{ readonly subjects: readonly Subject[]; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const files = new WeakMap<object, string>();
  let opened = 0;
  const sqlite = (filename = join(directory, `${opened++}.db`)) => {
    const storage = knexStorage({ client: 'sqlite', filename });
    files.set(storage, filename);
    return storage;
  };
  const good = (kind: Subject['kind'], name: string, level: Subject['level']) => ({ kind, name, broken: false, level });
  return {
    subjects: [
      good('storage', 'memory', storageLevel({ open: memoryStorage, again: memoryStorage })),
      good('storage', 'sqlite', storageLevel({ open: () => sqlite(), again: (first) => sqlite(files.get(first)) })),
      good('storage', 'logged', storageLevel(onLogs('', logFiles()))),
      good('transport', 'koa', transportLevel(koa, everything)),
      good(
        'transport',
        'node',
        transportLevel(node, ['sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'alone']),
      ),
      good(
        'transport',
        'fetch',
        transportLevel({ open: async (api, { prefix } = {}) => inProcessTransport(fetchHandler(api, { prefix })) }, [
          'malformed-escapes',
          'alone',
        ]),
      ),
      good('service', 'memory', levelOf(inMemory)),
    ],
    close: () => rm(directory, { recursive: true }),
  };
}
