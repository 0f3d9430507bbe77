import { type Api, type Fixture, Refusal, type Storage } from '../../core/index.js';
import { Complaint } from './complaint.js';
import type { Source } from './document.js';
import type { Landmarks } from './landmarks.js';
import { progressOn } from './progress.js';

/** Whether the storage has the records already, going by their organizations. Some but not all of them is a complaint. */
export async function isLoaded(storage: Storage, { name, landmarks }: Source): Promise<boolean> {
  const found = await Promise.all(landmarks.organizations.map((slug) => organizationOf(storage, slug)));
  const missing = landmarks.organizations.filter((_, index) => found[index] === undefined);
  if (missing.length > 0 && missing.length < found.length) {
    throw new Complaint(`${name} is loaded in part: there is no organization ${missing.join(', ')} in the storage`);
  }
  return missing.length === 0;
}

const organizationOf = async (storage: Storage, slug: string) =>
  (await storage.select('organization.bySlug', { slug }, 1))[0];

/** Loads the records; all that can be wrong with them is found before any of them is written. */
export async function load(api: Api, source: Source, now: number): Promise<void> {
  const document = await source.records(now);
  const progress = await progressOn(process.stderr, sizeOf(document));
  try {
    const loaded = await api.host.load(document, { onProgress: progress.at });
    if (source.testRuns) await api.host.tests.record(await source.testRuns(now));
    progress.end();
    const given = new Set(document.access_tokens?.map(({ token }) => token));
    for (const { user, token } of loaded.access_tokens) {
      // There is no other way to learn of a token that was made for a record without one.
      if (!given.has(token)) process.stderr.write(`Access token of ${user}: ${token}\n`);
    }
  } catch (error) {
    progress.end();
    if (!(error instanceof Refusal)) throw error;
    throw new Complaint(
      `${source.name} can't be loaded: ${error.message.replace("The fixture can't be loaded: ", '')}`,
    );
  }
}

const sizeOf = (document: Fixture): number =>
  Object.values(document).reduce((sum, records) => sum + (Array.isArray(records) ? records.length : 0), 0);

/** The ids of what is printed; null for what is not there. */
export async function idsOf(storage: Storage, { organization: slug, suite, team }: Landmarks) {
  const organization = await organizationOf(storage, slug);
  if (!organization) return { suite: null, team: null };
  const [suites, teams] = await Promise.all([
    suite === null ? [] : storage.select('suite.bySlug', { organization: organization.id, slug: suite }, 1),
    team === null ? [] : storage.select('team.inOrganization', { organization: organization.id }, mostTeams),
  ]);
  return { suite: suites[0]?.id ?? null, team: teams.find(({ name }) => name === team)?.id ?? null };
}

/** Among so many of the oldest teams the first one of the document is looked for. */
const mostTeams = 1_000;
