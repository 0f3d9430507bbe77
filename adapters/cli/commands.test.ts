import test from 'ava';
import { commandEntries } from './commands.js';

test('a command is found by the name that its help has', async (t) => {
  for (const { name, load } of commandEntries) t.is((await load()).name, name);
});
