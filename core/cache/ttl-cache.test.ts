import test from 'ava';
import { manualClock } from '../../adapters/fake/manual-clock.js';
import { TtlCache } from './ttl-cache.js';

/** Makes so many entries, each under a tag of its own. */
function keepMany(cache: TtlCache, count: number) {
  for (let number = 0; number < count; number += 1)
    cache.keep('namespace', `key ${number}`, number, cache.begin([`tag ${number}`]));
}

test('the number of entries is bounded: the oldest go first', (t) => {
  const cache = new TtlCache(manualClock(), 1_000);
  keepMany(cache, 10_001);
  t.is(cache.get('namespace', 'key 0'), undefined);
  t.is(cache.get('namespace', 'key 1'), 1);
  t.is(cache.get('namespace', 'key 10000'), 10_000);
});

test('the number of changed tags is bounded, and no answer outlives a change that has been forgotten', (t) => {
  const cache = new TtlCache(manualClock(), 1_000);
  const pending = cache.begin(['tag of an answer on its way']);
  keepMany(cache, 2);
  cache.invalidate(['tag of an answer on its way', 'tag 0']);
  for (let number = 0; number < 10_000; number += 1) cache.invalidate([`other tag ${number}`]);
  cache.keep('namespace', 'late', 'old', pending);
  t.is(cache.get('namespace', 'late'), undefined);
  t.is(cache.get('namespace', 'key 0'), undefined);
});

test('the TTL of a cached result starts when the look-up starts', (t) => {
  const clock = manualClock();
  const cache = new TtlCache(clock, 1_000);
  const pending = cache.begin([]);
  clock.advance(600);
  cache.keep('namespace', 'key', 'value', pending);
  clock.advance(399);
  t.is(cache.get('namespace', 'key'), 'value');
  clock.advance(1);
  t.is(cache.get('namespace', 'key'), undefined);
});

test('an answer that was asked for before a change does not displace a later one', (t) => {
  const cache = new TtlCache(manualClock(), 1_000);
  const early = cache.begin(['tag']);
  cache.invalidate(['tag']);
  cache.keep('namespace', 'key', 'new', cache.begin(['tag']));
  cache.keep('namespace', 'key', 'old', early);
  t.is(cache.get('namespace', 'key'), 'new');
});
