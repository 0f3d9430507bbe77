import test from 'ava';
import { derivedIndexes } from './derived-indexes.js';

test('indexes.none-is-the-beginning-of-another', (t) => {
  const indexes = Object.values(derivedIndexes());
  for (const index of indexes.filter(({ unique }) => !unique)) {
    const others = indexes.filter((other) => other !== index && other.on === index.on);
    const longer = others.filter(({ columns }) =>
      index.columns.every((column, position) => columns[position] === column),
    );
    t.deepEqual(longer, [], index.columns.join(', '));
  }
});

test('indexes.of-builds', (t) => {
  const ofBuilds = Object.values(derivedIndexes()).filter(({ on }) => on === 'builds');
  const columns = ofBuilds.map((index) => index.columns.join(' '));
  t.true(columns.includes('pipeline_id created_at id'));
  t.true(columns.includes('pipeline_id branch created_at id'));
  t.true(columns.includes('pipeline_id number'));
});
