import { UsageError } from '../usage-error.js';

export type ConformanceSuite = typeof import('../../../conformance/index.js');

/** Imports the conformance suite on demand: it needs fast-check, which is an optional dependency. */
export async function loadConformanceSuite(): Promise<ConformanceSuite> {
  try {
    return await import('../../../conformance/index.js');
  } catch (error) {
    if (!/Cannot find (package|module) 'fast-check'/.test(String(error))) throw error;
    throw new UsageError('The conformance suite needs fast-check: npm install --save-dev fast-check');
  }
}
