import test from 'ava';
import { commandEntries } from './commands.js';

test('every entry has the name of its command', async (t) => {
  for (const { name, load } of commandEntries) t.is((await load()).name, name);
});
