import test from 'ava';
import { patient } from './patience.js';

test('what is over in time is handed on, good or bad', async (t) => {
  t.is(await patient(Promise.resolve(3)), 3);
  await t.throwsAsync(patient(Promise.reject(new Error('no'))), { message: 'no' });
});

test('nothing is left listening', async (t) => {
  const before = process.listenerCount('unhandledRejection');
  await patient(Promise.resolve());
  t.is(process.listenerCount('unhandledRejection'), before);
});
