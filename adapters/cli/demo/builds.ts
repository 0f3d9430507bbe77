import type { FixtureRecord } from '../../../core/index.js';
import { type BuildSpec, buildSpecs, type Scenario } from './build-specs.js';
import { type Calendar, isoTime, minute } from './calendar.js';
import { type Job, jobsOf } from './jobs.js';
import { emails, nameOf } from './people.js';
import type { PipelineSlug } from './pipelines.js';
import { commitHash, integerBetween, uuidOf } from './seeded-random.js';
import { organization } from './summary.js';

type Build = FixtureRecord<'builds'>;

const stateOf = (scenario: Scenario): NonNullable<Build['state']> => {
  switch (scenario) {
    case 'soft_failed':
    case 'auto_retried':
    case 'manually_retried':
    case 'blocked':
      return 'passed';
    case 'timed_out':
    case 'expired':
      return 'failed';
    case 'finishing':
      return 'running';
    default:
      return scenario;
  }
};

const isInProgress = (scenario: Scenario): boolean =>
  ['running', 'finishing', 'failing', 'scheduled', 'canceling'].includes(scenario);

/** All builds of the demo, oldest first. */
export const builds = ({ now }: Calendar): Build[] =>
  (Object.keys(buildSpecs) as PipelineSlug[])
    .flatMap((slug) => {
      const specs = buildSpecs[slug];
      const times = creationTimes(slug, specs, now);
      return specs.map((spec, index) => toBuild(spec, index + 1, times[index] as number));
    })
    .sort((one, other) => ((one.created_at ?? '') < (other.created_at ?? '') ? -1 : 1));

/** The creation times of the builds: those in progress within the last minutes, the others within the last days. */
function creationTimes(slug: PipelineSlug, specs: readonly BuildSpec[], now: number): number[] {
  let at = now - 4 * minute - integerBetween(`${slug}/newest`, 0, minute);
  const newestFirst = specs.toReversed().map(({ scenario }, index) => {
    const created = at;
    const name = `${slug}/gap/${index}`;
    at -= isInProgress(scenario)
      ? integerBetween(name, minute, 3 * minute)
      : integerBetween(name, 60 * minute, 360 * minute);
    return created;
  });
  return newestFirst.reverse();
}

function toBuild(spec: BuildSpec, number: number, created: number): Build {
  const { pipeline, scenario, branch, creator, message, pullRequest, rebuiltFrom } = spec;
  const name = `${pipeline}/${number}`;
  const jobs = jobsOf(spec, name, created);
  return {
    organization,
    pipeline,
    id: uuidOf(name, created),
    number,
    state: stateOf(scenario),
    blocked: scenario === 'blocked',
    cancel_reason: scenario === 'canceled' || scenario === 'canceling' ? `Canceled by ${nameOf(creator)}` : null,
    message,
    commit: commitHash(`${pipeline}/${branch}/${message}`),
    branch,
    source: rebuiltFrom ? 'api' : pullRequest ? 'webhook' : number % 4 === 0 ? 'api' : 'webhook',
    creator: emails[creator],
    author: { name: nameOf(creator), email: emails[creator] },
    env: pullRequest
      ? { CI_PULL_REQUEST: String(pullRequest) }
      : branch.startsWith('release/')
        ? { RELEASE: branch.slice(8) }
        : {},
    meta_data: metaDataOf(spec),
    pull_request: pullRequest
      ? { id: String(pullRequest), base: 'main', repository: `git@github.com:acme/${pipeline}.git` }
      : null,
    rebuilt_from: rebuiltFrom ? { number: rebuiltFrom } : null,
    created_at: isoTime(created),
    scheduled_at: isoTime(created),
    started_at: firstStart(jobs),
    finished_at: isInProgress(scenario) ? null : lastFinish(jobs),
    jobs,
  };
}

function metaDataOf({ branch, pipeline }: BuildSpec): Record<string, string> {
  if (branch.startsWith('release/')) return { version: branch.slice('release/'.length), channel: 'stable' };
  if (branch === 'main') return { channel: 'edge', region: pipeline === 'mobile' ? 'all' : 'eu-north' };
  return {};
}

const timesIn = (jobs: readonly Job[], field: 'started_at' | 'finished_at'): string[] =>
  jobs.flatMap((job) => job[field] ?? []).sort();

const firstStart = (jobs: readonly Job[]): string | null => timesIn(jobs, 'started_at').at(0) ?? null;
const lastFinish = (jobs: readonly Job[]): string | null => timesIn(jobs, 'finished_at').at(-1) ?? null;
