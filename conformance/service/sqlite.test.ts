import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { knexStorage } from '../../adapters/knex/index.js';
import { testAll } from '../bindings/ava.js';
import { secondOpinion } from './_second-opinion.test.js';
import { serviceCases } from './index.js';

const judge = secondOpinion();

/** Real files, in a directory of their own that is gone afterwards. */
testAll(test.serial, serviceCases, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  let opened = 0;
  return {
    harness: {
      judge,
      storage: async () => knexStorage({ client: 'sqlite', filename: join(directory, `${opened++}.db`) }),
    },
    close: () => rm(directory, { recursive: true }),
  };
});
