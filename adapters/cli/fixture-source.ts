import { readFile } from 'node:fs/promises';
import type { Fixture } from '../../core/index.js';
import type { RecordInput } from '../../core/runtime/test-executions/index.js';
import { demoSummary } from './demo/summary.js';
import { type FixtureSummary, summarizeFixture } from './fixture-summary.js';
import { UsageError } from './usage-error.js';

/** The source of a service's initial records. */
export interface FixtureSource {
  /** The name in messages. */
  readonly name: string;
  readonly summary: FixtureSummary;
  /** Returns the records. Those of the demo are created on demand. */
  records(now: number): Promise<Fixture>;
  /** Returns test runs, which are recorded after the records are loaded. */
  readonly testRuns?: (now: number) => Promise<RecordInput>;
}

export const demoSource: FixtureSource = {
  name: 'The demo',
  summary: demoSummary,
  records: async (now) => (await import('./demo/index.js')).demo(now),
  testRuns: async (now) => (await import('./demo/index.js')).demoTestRuns(now),
};

/** Reads a fixture file. Its records are validated when they are loaded. */
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
  ENOENT: 'the file does not exist',
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

/** The records of an unvalidated document that are at least objects in arrays. */
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
