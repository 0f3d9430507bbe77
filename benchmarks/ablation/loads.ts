import { type OrganizationFixture, pipelineSlug } from '../data/organization.js';
import type { Size } from '../data/size.js';
import type { LoadRequest, LoadSpec } from '../load/load-spec.js';
import { requestsOf } from '../parts/requests.js';
import { acceptPath } from '../peers/millrace-ablation.js';

/** A load that users have. */
export interface AblationLoad {
  requests(size: Size, fixture: OrganizationFixture): readonly LoadRequest[];
  /** Whether the load changes records, which have to be restored after each turn. */
  readonly changes: boolean;
  /** Whether each request can be sent only once: a turn then ends with the last request, not with its time. */
  readonly once?: true;
}

export const loads = {
  'one build, the same': { requests: (size) => requestsOf('one build', size).slice(0, 1), changes: false },
  'one build, different ones': { requests: (size) => requestsOf('one build', size).slice(0, 600), changes: false },
  'list, page 1, the same': { requests: (size) => requestsOf('list, page 1', size), changes: false },
  'list, different pages': { requests: differentPages, changes: false },
  'list, far page': { requests: (size) => requestsOf('list, far page', size), changes: false },
  'list agents': { requests: (size) => requestsOf('list agents', size), changes: false },
  create: { requests: (size) => requestsOf('create', size), changes: true },
  cancel: { requests: (size) => requestsOf('cancel', size), changes: true, once: true },
  'accept and release a job': {
    requests: (_, { agents }) => agents.map(({ id }): LoadRequest => ({ method: 'POST', target: acceptPath + id })),
    changes: true,
  },
} as const satisfies Record<string, AblationLoad>;

export type LoadName = keyof typeof loads;

export const loadNames = Object.keys(loads) as readonly LoadName[];
export const reads: readonly LoadName[] = loadNames.filter((name) => !loads[name].changes);
export const writes: readonly LoadName[] = loadNames.filter((name) => loads[name].changes);

/** The first three pages of every pipeline. Their builds fit into the render cache. */
function differentPages({ pipelines }: Size): LoadRequest[] {
  return [1, 2, 3].flatMap((page) =>
    pipelines.map(
      (_, pipeline): LoadRequest => ({
        method: 'GET',
        target: `/v2/organizations/acme/pipelines/${pipelineSlug(pipeline)}/builds?page=${page}`,
      }),
    ),
  );
}

/** When a turn of a load ends. */
export const turnEnd = ({ once }: AblationLoad, milliseconds: number): LoadSpec['until'] =>
  once ? 'asked' : milliseconds;
