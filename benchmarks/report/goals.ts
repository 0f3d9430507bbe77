import type { Measurement } from '../parts/measure-peers.js';
import type { Figure, Parts } from './result.js';

/** A goal, and the figure of this run. */
export interface Goal {
  readonly what: string;
  readonly against: string;
  /** Whether the figure must be at least or at most the goal. */
  readonly sense: 'at least' | 'at most';
  readonly goal: number;
  readonly unit: '×' | 'per second' | 'ms';
  readonly reached: number;
  /** The figures of Millrace and of the peer, from the same run. */
  readonly own: string;
  readonly other: string;
  /** The ratio of processor time (server and database), where it was measured. It varies less on a busy machine. */
  readonly byProcessor?: number;
}

export const isReached = ({ sense, goal, reached }: Goal): boolean =>
  sense === 'at least' ? reached >= goal : reached <= goal;

const find = (list: readonly Measurement[] | undefined, peer: string, endpoint: string) =>
  list?.find((one) => one.peer === peer && one.endpoint === endpoint);

const perSecond = (number: number): string => `${Math.round(number).toLocaleString('en-US')}/s`;

/** A goal for the ratio of the rates of two peers in one run. */
function ratio(
  what: string,
  list: readonly Measurement[] | undefined,
  [ours, other]: readonly [string, string],
  endpoint: string,
  goal: number,
): Goal[] {
  const [mine, its] = [find(list, ours, endpoint), find(list, other, endpoint)];
  if (mine === undefined || its === undefined) return [];
  const cost = ({ serverCpu, databaseCpu }: Measurement) => serverCpu + databaseCpu;
  return [
    {
      what,
      against: other,
      sense: 'at least',
      goal,
      unit: '×',
      reached: mine.perSecond / its.perSecond,
      own: perSecond(mine.perSecond),
      other: perSecond(its.perSecond),
      ...(cost(mine) > 0 && { byProcessor: cost(its) / cost(mine) }),
    },
  ];
}

function atLeast(what: string, figures: readonly Figure[] | undefined, name: string, goal: number): Goal[] {
  const found = figures?.find((figure) => figure.name === name);
  if (found === undefined) return [];
  const cpuFigure = figures?.find((figure) => figure.name === `${name}: by processor time`);
  const reached = { reached: found.value, ...(cpuFigure && { byProcessor: cpuFigure.value }) };
  const description = { what, against: '–', own: perSecond(found.value), other: '–' };
  return [{ ...description, ...reached, sense: 'at least', goal, unit: 'per second' }];
}

function atMost(
  what: string,
  figures: readonly Figure[] | undefined,
  name: string,
  goal: number,
  baseline?: string,
): Goal[] {
  const found = figures?.find((figure) => figure.name === name);
  if (found === undefined) return [];
  const other = figures?.find((figure) => figure.name === baseline);
  const cpuFigure = figures?.find((figure) => figure.name === `${name}: by processor time`);
  const description = ({ value }: Figure) => `${value.toFixed(0)} ms`;
  return [
    {
      what,
      against: baseline ?? '–',
      sense: 'at most',
      goal,
      unit: 'ms',
      reached: found.value,
      own: description(found),
      other: other === undefined ? '–' : description(other),
      ...(cpuFigure && { byProcessor: cpuFigure.value }),
    },
  ];
}

/** The goals that were set for the project; see docs/performance.md. */
export function goalsOf(parts: Parts): Goal[] {
  const { postgres: pg, sqlite, cold, transports } = parts;
  const documents = ['millrace-pg', 'documents-pg'] as const;
  const tuned = ['millrace-pg', 'hand-tuned-pg'] as const;
  const [sqliteDocuments, sqliteTuned] = [
    ['millrace-sqlite', 'documents-sqlite'],
    ['millrace-sqlite', 'hand-tuned-sqlite'],
  ] as const;
  return [
    ...ratio('PostgreSQL: list, page 1', pg, documents, 'list, page 1', 5),
    ...ratio('PostgreSQL: list, page 1', pg, tuned, 'list, page 1', 14),
    ...ratio('PostgreSQL: list, page 1', pg, ['millrace-pg', 'koa-knex-pg'], 'list, page 1', 25),
    ...ratio('PostgreSQL: list, state + branch', pg, documents, 'list, state + branch', 5),
    ...ratio('PostgreSQL: list, far page', pg, documents, 'list, far page', 4),
    ...ratio('PostgreSQL: one build', pg, documents, 'one build', 1.3),
    ...ratio('PostgreSQL: list agents', pg, tuned, 'list agents', 2),
    ...ratio('PostgreSQL: create', pg, tuned, 'create', 1),
    ...ratio('PostgreSQL: cancel', pg, tuned, 'cancel', 1),
    ...ratio('PostgreSQL: one build, cold', cold, tuned, 'one build, cold', 0.6),
    ...ratio('PostgreSQL: list, cold', cold, tuned, 'list, cold', 1.3),
    ...ratio('SQLite: one build', sqlite, sqliteDocuments, 'one build', 1.7),
    ...ratio('SQLite: list, page 1', sqlite, sqliteDocuments, 'list, page 1', 6),
    ...ratio('SQLite: create', sqlite, sqliteTuned, 'create', 0.8),
    ...atLeast('In process: one build', parts['in-process'], 'one build', 100_000),
    ...atLeast('In process: list of 30', parts['in-process'], 'list of 30', 20_000),
    ...ratio('Koa: one build', transports, ['millrace-pg-koa', 'millrace-pg'], 'one build', 0.9),
    ...ratio('Koa: list, page 1', transports, ['millrace-pg-koa', 'millrace-pg'], 'list, page 1', 0.9),
    ...ratio('fetch: one build', transports, ['millrace-pg-fetch', 'millrace-pg'], 'one build', 0.6),
    ...ratio('fetch: list, page 1', transports, ['millrace-pg-fetch', 'millrace-pg'], 'list, page 1', 0.6),
    ...growthGoals(parts),
    ...acceptGoal(parts),
    ...atMost(
      '`serve` on SQLite to the first 200',
      parts.start,
      'serve on SQLite to the first 200',
      150,
      'bare node:http to the first 200',
    ),
    ...atMost(
      'Import of the in-process core',
      parts.start,
      'import of the in-process core, beyond bare Node',
      60,
      'bare Node',
    ),
  ];
}

/** No request may cost much more in a long pipeline than in a short one. */
function growthGoals({ growth }: Parts): Goal[] {
  return (growth?.curves ?? []).flatMap(({ database, what, points }): Goal[] => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const description = ([size, milliseconds]: readonly [number, number]) =>
      `${milliseconds.toFixed(2)} ms at ${size.toLocaleString('en-US')}`;
    return [
      {
        what: `${database}: ${what}, as the pipeline grows`,
        against: `itself at ${first[0].toLocaleString('en-US')}`,
        sense: 'at most',
        goal: /page 10,000|farthest/.test(what) ? 3 : 1.5,
        unit: '×',
        reached: last[1] / first[1],
        own: description(last),
        other: description(first),
      },
    ];
  });
}

/** Accepting a job must not cost more when more jobs wait. */
function acceptGoal({ accept }: Parts): Goal[] {
  const [few, many] = [accept?.[0], accept?.at(-1)];
  if (few === undefined || many === undefined || few === many) return [];
  const description = ({ name, value }: Figure) => `${value.toFixed(2)} ms, ${name}`;
  return [
    {
      what: 'Accepting a job, 64 agents at once',
      against: few.name,
      sense: 'at most',
      goal: 1.5,
      unit: '×',
      reached: many.value / few.value,
      own: description(many),
      other: description(few),
    },
  ];
}
