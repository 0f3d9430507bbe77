import test from 'ava';
import { overSockets, transportCases } from 'millrace/conformance';
import { testAll } from 'millrace/conformance/ava';
import listen, { capabilities } from './minimal-transport-module.js';

const harness = overSockets(listen);

testAll(test, transportCases, async () => ({ harness, close: async () => {} }), capabilities);
