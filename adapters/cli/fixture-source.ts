import { readFile } from 'node:fs/promises';
import type { Fixture } from '../../core/index.js';
import type { RecordInput } from '../../core/runtime/test-executions/index.js';
import { demoSummary } from './demo/summary.js';
import { type FixtureSummary, summarizeFixture } from './fixture-summary.js';
import { UsageError } from './usage-error.js';

/** The records that a service is to begin with. */
export interface FixtureSource {
  /** What messages call it. */
  readonly name: string;
  readonly summary: FixtureSummary;
  /** The records themselves; those of the demo are only made when they are needed. */
  records(now: number): Promise<Fixture>;
  /** Test runs that are recorded once the records are there. */
  readonly testRuns?: (now: number) => Promise<RecordInput>;
}

export const demoSource: FixtureSource = {
  name: 'The demo',
  summary: demoSummary,
  records: async (now) => (await import('./demo/index.js')).demo(now),
  testRuns: async (now) => (await import('./demo/index.js')).demoTestRuns(now),
};

/** Reads a fixture; whether its records are sound is judged when they are loaded. */
export async function readFixtureFile(filename: string): Promise<FixtureSource> {
  const document = parseJson(await readContent(filename), filename);
  const name = `The fixture ${filename}`;
  return {
    name,
    summary: summarizeFixture(wellFormedRecords(document, name), name),
    records: async () => document as Fixture,
  };
}

async function readContent(filename: string): Promise<string> {
  try {
    return await readFile(filename, 'utf8');
  } catch (error) {
    throw new UsageError(
      `Cannot read the fixture ${filename}: ${errorMessages[errorCode(error)] ?? (error as Error).message}`,
    );
  }
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const errorMessages: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'access is denied',
  EISDIR: 'it is a directory',
};

function parseJson(text: string, filename: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`The fixture ${filename} is not JSON: ${(error as Error).message}`);
  }
}

/** As much of a document as can be looked at before it has been validated. */
function wellFormedRecords(document: unknown, name: string): Fixture {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new UsageError(`${name} must be an object`);
  }
  const records = Object.entries(document).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter((record) => typeof record === 'object' && record !== null) : [],
  ]);
  return Object.fromEntries(records) as Fixture;
}
