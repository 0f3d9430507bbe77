import { pipelineSlug } from '../data/organization.js';
import type { Size } from '../data/size.js';
import { seededRandom } from '../data/values.js';
import type { LoadRequest } from '../load/load-spec.js';
import type { Endpoint } from '../peers/peer.js';

const builds = (pipeline: number): string => `/v2/organizations/acme/pipelines/${pipelineSlug(pipeline)}/builds`;
const get = (target: string): LoadRequest => ({ method: 'GET', target });

/** The requests of an endpoint, in the order in which they are sent. */
export function requestsOf(endpoint: Endpoint, size: Size): LoadRequest[] {
  switch (endpoint) {
    case 'one build':
      return warmNumbers(size).map((number) => get(`${builds(0)}/${number}`));
    case 'list, page 1':
      return [get(builds(0))];
    case 'list, state + branch':
      return [get(`${builds(0)}?state=passed&branch=main`)];
    case 'list, far page':
      return [get(`${builds(0)}?page=${size.farPage}`)];
    case 'list agents':
      return [get('/v2/organizations/acme/agents')];
    case 'create':
      // Spread over half of the pipelines, because each pipeline assigns its build numbers one after the other.
      return Array.from({ length: 600 }, (_, n) => ({
        method: 'POST',
        target: builds(1 + (n % Math.max(1, Math.floor(size.pipelines.length / 2)))),
        body: JSON.stringify(newBuildInput(n)),
      }));
    case 'cancel':
      return cancelableNumbers(size).map((number) => ({
        method: 'PUT',
        target: `${builds(size.pipelines.length - 1)}/${number}/cancel`,
      }));
  }
}

export const newBuildInput = (n: number) => ({
  commit: 'HEAD',
  branch: n % 3 ? 'main' : 'develop',
  message: `A build that somebody asked for (${n})`,
  env: { NODE_ENV: 'test' },
  meta_data: { release: `v${n}` },
  author: { name: 'Ada Lovelace', email: 'ada@acme.example' },
});

/** Numbers of the newest builds of the first pipeline, each once, in random order. */
export function warmNumbers({ pipelines, warmBuilds }: Size): number[] {
  const count = pipelines[0] ?? 0;
  const numbers = Array.from({ length: Math.min(warmBuilds, count) }, (_, n) => count - n);
  return numbers.sort((a, b) => seededRandom(a, 11) - seededRandom(b, 11));
}

export function cancelableNumbers({ pipelines, cancelable }: Size): number[] {
  const count = pipelines.at(-1) ?? 0;
  return Array.from({ length: cancelable }, (_, n) => count - n);
}
