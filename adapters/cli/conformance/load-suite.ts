import { UsageError } from '../usage-error.js';

export type ConformanceSuite = typeof import('../../../conformance/index.js');

/** The conformance suite. It needs fast-check, which whoever only serves has no use for, so it is loaded when it is asked for. */
export async function loadConformanceSuite(): Promise<ConformanceSuite> {
  try {
    return await import('../../../conformance/index.js');
  } catch (error) {
    if (!/Cannot find (package|module) 'fast-check'/.test(String(error))) throw error;
    throw new UsageError('The conformance suite needs fast-check: npm install --save-dev fast-check');
  }
}
