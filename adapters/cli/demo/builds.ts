import type { FixtureRecord } from '../../../core/index.js';
import { type Calendar, minute, moment } from './calendar.js';
import { between, commitOf, idOf } from './chance.js';
import { type Ending, history, type Story } from './history.js';
import { type Job, jobsOf } from './jobs.js';
import { organization } from './landmarks.js';
import { nameOf, people } from './people.js';
import type { PipelineSlug } from './pipelines.js';

type Build = FixtureRecord<'builds'>;

const stateOf = (ending: Ending): NonNullable<Build['state']> => {
  switch (ending) {
    case 'softly':
    case 'retried':
    case 'mended':
    case 'blocked':
      return 'passed';
    case 'timed_out':
    case 'expired':
      return 'failed';
    case 'finishing':
      return 'running';
    default:
      return ending;
  }
};

const isUnderWay = (ending: Ending): boolean =>
  ['running', 'finishing', 'failing', 'scheduled', 'canceling'].includes(ending);

/** All builds of the demo, oldest first. */
export const builds = ({ now }: Calendar): Build[] =>
  (Object.keys(history) as PipelineSlug[])
    .flatMap((slug) => {
      const stories = history[slug];
      const times = timesOf(slug, stories, now);
      return stories.map((story, index) => buildOf(story, index + 1, times[index] as number));
    })
    .sort((one, other) => ((one.created_at ?? '') < (other.created_at ?? '') ? -1 : 1));

/** When the builds were made: those that are under way a few minutes ago, the others over the last days. */
function timesOf(slug: PipelineSlug, stories: readonly Story[], now: number): number[] {
  let at = now - 4 * minute - between(`${slug}/newest`, 0, minute);
  const newestFirst = stories.toReversed().map(({ ending }, index) => {
    const created = at;
    const name = `${slug}/gap/${index}`;
    at -= isUnderWay(ending) ? between(name, minute, 3 * minute) : between(name, 60 * minute, 360 * minute);
    return created;
  });
  return newestFirst.reverse();
}

function buildOf(story: Story, number: number, created: number): Build {
  const { pipeline, ending, branch, by, message, pull, again } = story;
  const name = `${pipeline}/${number}`;
  const jobs = jobsOf(story, name, created);
  return {
    organization,
    pipeline,
    id: idOf(name, created),
    number,
    state: stateOf(ending),
    blocked: ending === 'blocked',
    cancel_reason: ending === 'canceled' || ending === 'canceling' ? `Canceled by ${nameOf(by)}` : null,
    message,
    commit: commitOf(`${pipeline}/${branch}/${message}`),
    branch,
    source: again ? 'api' : pull ? 'webhook' : number % 4 === 0 ? 'api' : 'webhook',
    creator: people[by],
    author: { name: nameOf(by), email: people[by] },
    env: pull ? { CI_PULL_REQUEST: String(pull) } : branch.startsWith('release/') ? { RELEASE: branch.slice(8) } : {},
    meta_data: metaDataOf(story),
    pull_request: pull ? { id: String(pull), base: 'main', repository: `git@github.com:acme/${pipeline}.git` } : null,
    rebuilt_from: again ? { number: again } : null,
    created_at: moment(created),
    scheduled_at: moment(created),
    started_at: firstOf(jobs),
    finished_at: isUnderWay(ending) ? null : lastOf(jobs),
    jobs,
  };
}

function metaDataOf({ branch, pipeline }: Story): Record<string, string> {
  if (branch.startsWith('release/')) return { version: branch.slice('release/'.length), channel: 'stable' };
  if (branch === 'main') return { channel: 'edge', region: pipeline === 'mobile' ? 'all' : 'eu-north' };
  return {};
}

const timesIn = (jobs: readonly Job[], field: 'started_at' | 'finished_at'): string[] =>
  jobs.flatMap((job) => job[field] ?? []).sort();

const firstOf = (jobs: readonly Job[]): string | null => timesIn(jobs, 'started_at').at(0) ?? null;
const lastOf = (jobs: readonly Job[]): string | null => timesIn(jobs, 'finished_at').at(-1) ?? null;
