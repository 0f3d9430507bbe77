import test from 'ava';
import { derivedSchema } from '../schema/derived.js';
import { drafted } from './draft.js';
import { migrations } from './index.js';
import { folded, stepsBetween } from './migration.js';

test('migrations.follow-the-model', (t) => {
  const { steps, byHand } = stepsBetween(folded(migrations), derivedSchema());
  const lines = [
    ...(steps.length === 0 ? [] : ['The model has changed. A new migration needs these steps:', drafted(steps)]),
    ...(byHand.length === 0 ? [] : ['These changes need steps of their own:', ...byHand]),
  ];
  t.is(lines.join('\n'), '');
});

test('migrations.numbered', (t) => {
  t.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, place) => place + 1),
  );
});

test('migrations.draft-fills-the-gap', (t) => {
  const without = { tables: {}, indexes: {}, tallies: {} };
  const { steps, byHand } = stepsBetween(without, derivedSchema());
  t.deepEqual(byHand, []);
  t.deepEqual(stepsBetween(folded([{ version: 1, name: 'all', steps }]), derivedSchema()), { steps: [], byHand: [] });
});
