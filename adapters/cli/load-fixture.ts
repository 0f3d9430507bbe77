import { type Api, type Fixture, isApiError, type Storage } from '../../core/index.js';
import type { FixtureSource } from './fixture-source.js';
import type { FixtureSummary } from './fixture-summary.js';
import { createLoadProgress } from './load-progress.js';
import { UsageError } from './usage-error.js';

/** Whether the storage has the organizations of the records. Throws `UsageError` if it has only some of them. */
export async function isLoaded(storage: Storage, { name, summary }: FixtureSource): Promise<boolean> {
  const found = await Promise.all(summary.organizations.map((slug) => findOrganization(storage, slug)));
  const missing = summary.organizations.filter((_, index) => found[index] === undefined);
  if (missing.length > 0 && missing.length < found.length) {
    throw new UsageError(`${name} is loaded in part: the storage lacks the organization ${missing.join(', ')}`);
  }
  return missing.length === 0;
}

const findOrganization = async (storage: Storage, slug: string) =>
  (await storage.select('organization.bySlug', { slug }, 1))[0];

/** Loads the records. They are validated completely before any of them is written. */
export async function loadFixture(api: Api, source: FixtureSource, now: number): Promise<void> {
  const document = await source.records(now);
  const progress = await createLoadProgress(process.stderr, recordCount(document));
  try {
    const loaded = await api.load(document, { onProgress: progress.update });
    if (source.testRuns) await api.runtime.tests.record(await source.testRuns(now));
    progress.stop();
    const fixtureTokens = new Set(document.access_tokens?.map(({ token }) => token));
    for (const { user, token } of loaded.access_tokens) {
      // A token generated for a record without one can be seen only here.
      if (!fixtureTokens.has(token)) process.stderr.write(`Access token of ${user}: ${token}\n`);
    }
  } catch (error) {
    progress.stop();
    if (!isApiError(error)) throw error;
    throw new UsageError(
      `${source.name} can't be loaded: ${error.message.replace("The fixture can't be loaded: ", '')}`,
    );
  }
}

const recordCount = (document: Fixture): number =>
  Object.values(document).reduce((sum, records) => sum + (Array.isArray(records) ? records.length : 0), 0);

/** The ids that the command prints; null for records that do not exist. */
export async function findSummaryIds(storage: Storage, { organization: slug, suite, team }: FixtureSummary) {
  const organization = await findOrganization(storage, slug);
  if (!organization) return { suite: null, team: null };
  const [suites, teams] = await Promise.all([
    suite === null ? [] : storage.select('suite.bySlug', { organization: organization.id, slug: suite }, 1),
    team === null ? [] : storage.select('team.inOrganization', { organization: organization.id }, maxTeams),
  ]);
  return { suite: suites[0]?.id ?? null, team: teams.find(({ name }) => name === team)?.id ?? null };
}

/** The team of the document is searched among this many of the oldest teams. */
const maxTeams = 1_000;
