import { linkHeader } from './link-header.js';
import type { NewBuild, Service } from './service.js';

const route =
  /^\/v2\/organizations\/([^/?]+)\/(?:agents|pipelines\/([^/?]+)\/builds(?:\/(\d+)(\/cancel)?)?)(?:\?(.*))?$/;

export interface PlainResponse {
  readonly status: number;
  readonly text: string;
  readonly link?: string | undefined;
}

const notFound: PlainResponse = { status: 404, text: '{"message":"Not found"}' };

/** Handles a request for a peer without a framework, with any HTTP server. */
export async function handleRequest(
  service: Service,
  method: string,
  url: string,
  authorization: string | undefined,
  input: NewBuild | undefined,
): Promise<PlainResponse> {
  const [, organization = '', slug, number, cancel, query = ''] = route.exec(url) ?? [];
  const scope = slug === undefined ? 'read_agents' : method === 'GET' ? 'read_builds' : 'write_builds';
  const caller = await service.lookups.authenticate(authorization, scope);
  if (caller === undefined) return { status: 401, text: '{"message":"Authentication required"}' };
  const searchParams = new URLSearchParams(query);
  const page = Math.max(1, Number(searchParams.get('page') ?? 1));
  const pageResponse = ({ text, more, total }: Awaited<ReturnType<Service['list']>>) => ({
    status: 200,
    text,
    link: linkHeader(url.split('?')[0] ?? '', searchParams, page, more, total),
  });
  if (slug === undefined) return pageResponse(await service.agents(organization, page));
  const pipeline = await service.lookups.pipeline(slug);
  if (pipeline === undefined || pipeline.organization !== organization) return notFound;
  if (method === 'GET' && number === undefined) {
    const [state, branch] = [searchParams.get('state') ?? undefined, searchParams.get('branch') ?? undefined];
    return pageResponse(await service.list(pipeline, { page, state, branch }));
  }
  const buildResponse = (status: number, text: string | undefined) =>
    text === undefined ? notFound : { status, text };
  if (method === 'GET') return buildResponse(200, await service.read(pipeline, Number(number)));
  if (cancel) return buildResponse(200, await service.cancel?.(pipeline, Number(number), caller));
  return input === undefined ? notFound : buildResponse(201, await service.create?.(pipeline, input, caller));
}
