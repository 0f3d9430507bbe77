import { readFile } from 'node:fs/promises';
import type { RecordInput } from '../../core/host/tests/index.js';
import type { Fixture } from '../../core/index.js';
import { Complaint } from './complaint.js';
import { demoLandmarks } from './demo/landmarks.js';
import { type Landmarks, landmarksOf } from './landmarks.js';

/** The records that a service is to begin with. */
export interface Source {
  /** What messages call it. */
  readonly name: string;
  readonly landmarks: Landmarks;
  /** The records themselves; those of the demo are only made when they are needed. */
  records(now: number): Promise<Fixture>;
  /** Test runs that are recorded once the records are there. */
  readonly testRuns?: (now: number) => Promise<RecordInput>;
}

export const demoSource: Source = {
  name: 'The demo',
  landmarks: demoLandmarks,
  records: async (now) => (await import('./demo/index.js')).demo(now),
  testRuns: async (now) => (await import('./demo/index.js')).demoTestRuns(now),
};

/** Reads a fixture; whether its records are sound is judged when they are loaded. */
export async function fixtureSource(filename: string): Promise<Source> {
  const document = parsed(await contentOf(filename), filename);
  const name = `The fixture ${filename}`;
  return { name, landmarks: landmarksOf(roughly(document, name), name), records: async () => document as Fixture };
}

async function contentOf(filename: string): Promise<string> {
  try {
    return await readFile(filename, 'utf8');
  } catch (error) {
    throw new Complaint(`Cannot read the fixture ${filename}: ${reasons[codeOf(error)] ?? (error as Error).message}`);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'access is denied',
  EISDIR: 'it is a directory',
};

function parsed(text: string, filename: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Complaint(`The fixture ${filename} is not JSON: ${(error as Error).message}`);
  }
}

/** As much of a document as can be looked at before it has been validated. */
function roughly(document: unknown, name: string): Fixture {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Complaint(`${name} must be an object`);
  }
  const records = Object.entries(document).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter((record) => typeof record === 'object' && record !== null) : [],
  ]);
  return Object.fromEntries(records) as Fixture;
}
