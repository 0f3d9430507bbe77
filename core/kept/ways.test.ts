import test from 'ava';
import { notFound, Refusal } from '../contract/refusal.js';
import type { Caller } from '../ports/index.js';
import { Ways } from './ways.js';

const source = () => {
  let kept = true;
  return { isKept: () => kept, drop: () => (kept = false) };
};

test('a way is found once, for one caller and one key, as long as its trail is kept', async (t) => {
  const ways = new Ways<() => Promise<string>>();
  const [ada, bob] = [{} as Caller, {} as Caller];
  const look = source();
  const found: string[] = [];
  const go = async (caller: Caller, target: string) => {
    const way = await ways.to(caller, target, async (trail) => {
      trail.follow(look);
      found.push(target);
      return async () => `${target} ${found.length}`;
    });
    return way instanceof Refusal ? 'refused' : way();
  };
  t.is(await go(ada, '/a'), '/a 1');
  t.is(await go(ada, '/a'), '/a 1');
  await go(ada, '/b');
  await go(bob, '/a');
  t.deepEqual(found, ['/a', '/b', '/a']);
  look.drop();
  await go(ada, '/a');
  await go(ada, '/a');
  t.deepEqual(
    found,
    ['/a', '/b', '/a', '/a', '/a'],
    'what has nothing that is kept behind it is found anew every time',
  );
});

test('where a way leads nowhere, nothing is kept', async (t) => {
  const ways = new Ways<() => Promise<string>>();
  const caller = {} as Caller;
  let asked = 0;
  const find = async () => {
    asked += 1;
    return notFound('pipeline');
  };
  t.true((await ways.to(caller, '/a', find)) instanceof Refusal);
  await ways.to(caller, '/a', find);
  t.is(asked, 2);
});

test('many ways do not fill the memory', async (t) => {
  const ways = new Ways<() => Promise<string>>();
  const callers = [{} as Caller, {} as Caller];
  const look = source();
  let asked = 0;
  const go = (target: number) =>
    ways.to(callers[target % 2] as Caller, `/${target}`, async (trail) => {
      trail.follow(look);
      asked += 1;
      return async () => '';
    });
  for (let target = 0; target < 5_500; target += 1) await go(target);
  await go(5_499);
  t.is(asked, 5_500);
  await go(0);
  t.is(asked, 5_501);
});
