import { linkOf } from './link.js';
import type { NewBuild, Service } from './service.js';

const route =
  /^\/v2\/organizations\/([^/?]+)\/(?:agents|pipelines\/([^/?]+)\/builds(?:\/(\d+)(\/cancel)?)?)(?:\?(.*))?$/;

export interface PlainAnswer {
  readonly status: number;
  readonly text: string;
  readonly link?: string | undefined;
}

const missing: PlainAnswer = { status: 404, text: '{"message":"Not found"}' };

/** What a peer of few lines answers to a request, whatever serves it. */
export async function answerTo(
  service: Service,
  method: string,
  url: string,
  authorization: string | undefined,
  input: NewBuild | undefined,
): Promise<PlainAnswer> {
  const [, organization = '', slug, number, cancel, query = ''] = route.exec(url) ?? [];
  const scope = slug === undefined ? 'read_agents' : method === 'GET' ? 'read_builds' : 'write_builds';
  const caller = await service.lobby.caller(authorization, scope);
  if (caller === undefined) return { status: 401, text: '{"message":"Authentication required"}' };
  const asked = new URLSearchParams(query);
  const page = Math.max(1, Number(asked.get('page') ?? 1));
  const paged = ({ text, more, total }: Awaited<ReturnType<Service['list']>>) => ({
    status: 200,
    text,
    link: linkOf(url.split('?')[0] ?? '', asked, page, more, total),
  });
  if (slug === undefined) return paged(await service.agents(organization, page));
  const pipeline = await service.lobby.pipeline(slug);
  if (pipeline === undefined || pipeline.organization !== organization) return missing;
  if (method === 'GET' && number === undefined) {
    const [state, branch] = [asked.get('state') ?? undefined, asked.get('branch') ?? undefined];
    return paged(await service.list(pipeline, { page, state, branch }));
  }
  const one = (status: number, text: string | undefined) => (text === undefined ? missing : { status, text });
  if (method === 'GET') return one(200, await service.one(pipeline, Number(number)));
  if (cancel) return one(200, await service.cancel?.(pipeline, Number(number), caller));
  return input === undefined ? missing : one(201, await service.create?.(pipeline, input, caller));
}
