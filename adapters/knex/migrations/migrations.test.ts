import test from 'ava';
import { derivedSchema } from '../schema/derived-schema.js';
import { draftSteps } from './draft-steps.js';
import { migrations } from './index.js';
import { schemaAfter, stepsBetween } from './migration.js';

test('migrations.follow-the-model', (t) => {
  const { steps, byHand } = stepsBetween(schemaAfter(migrations), derivedSchema());
  const lines = [
    ...(steps.length === 0 ? [] : ['The model has changed. A new migration needs these steps:', draftSteps(steps)]),
    ...(byHand.length === 0 ? [] : ['These changes need steps of their own:', ...byHand]),
  ];
  t.is(lines.join('\n'), '');
});

test('migrations.numbered', (t) => {
  t.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
  );
});

test('migrations.draft-fills-the-gap', (t) => {
  const emptySchema = { tables: {}, indexes: {}, counters: {} };
  const { steps, byHand } = stepsBetween(emptySchema, derivedSchema());
  t.deepEqual(byHand, []);
  t.deepEqual(stepsBetween(schemaAfter([{ version: 1, name: 'all', steps }]), derivedSchema()), {
    steps: [],
    byHand: [],
  });
});
