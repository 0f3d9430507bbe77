import type { Row } from '../model/index.js';

/** The URLs in responses: API URLs under `url`, URLs of web pages under `web` (decisions 4). */
export interface Links {
  /** The absolute API address of a path such as `/v2/user`. */
  api(path: string): string;
  agent(organization: string, id: string): Address;
  pipeline(organization: string, pipeline: string): Address & { readonly builds_url: string };
  badge(token: string): string;
  build(organization: string, pipeline: string, number: number): Address;
  cluster(organization: string, id: string): Address;
  queue(organization: string, cluster: string, id: string): Address;
  suite(organization: string, suite: string): Address;
}

export interface Address {
  readonly url: string;
  readonly web_url: string;
}

/** Creates the links for two base URLs. They may have a path prefix. A trailing slash is removed. */
export function makeLinks(baseUrl: string, webUrl: string): Links {
  const base = baseUrl.replace(/\/+$/, '');
  const web = webUrl.replace(/\/+$/, '');
  const addressOf = (apiPath: string, webPath: string): Address => ({ url: base + apiPath, web_url: web + webPath });
  const escaped = encodeURIComponent;
  return {
    api: (path) => base + path,
    agent: (organization, id) =>
      addressOf(`/v2/organizations/${organization}/agents/${id}`, `/organizations/${organization}/agents/${id}`),
    pipeline(organization, pipeline) {
      const path = `/v2/organizations/${organization}/pipelines/${escaped(pipeline)}`;
      return { ...addressOf(path, `/${organization}/${escaped(pipeline)}`), builds_url: `${base}${path}/builds` };
    },
    badge: (token) => `${web}/badges/${token}.svg`,
    build: (organization, pipeline, number) =>
      addressOf(
        `/v2/organizations/${organization}/pipelines/${escaped(pipeline)}/builds/${number}`,
        `/${organization}/${escaped(pipeline)}/builds/${number}`,
      ),
    cluster: (organization, id) =>
      addressOf(`/v2/organizations/${organization}/clusters/${id}`, `/organizations/${organization}/clusters/${id}`),
    queue: (organization, cluster, id) =>
      addressOf(
        `/v2/organizations/${organization}/clusters/${cluster}/queues/${id}`,
        `/organizations/${organization}/clusters/${cluster}/queues/${id}`,
      ),
    suite: (organization, suite) =>
      addressOf(
        `/v2/analytics/organizations/${organization}/suites/${escaped(suite)}`,
        `/organizations/${organization}/analytics/suites/${escaped(suite)}`,
      ),
  };
}

export type GraphqlType =
  | 'Build'
  | 'Job'
  | 'Pipeline'
  | 'User'
  | 'Agent'
  | 'Cluster'
  | 'ClusterQueue'
  | 'ClusterToken'
  | 'Team'
  | 'Organization';

/** The opaque `graphql_id`: base64 of `Type---uuid` (decisions 4). */
export const graphqlId = (type: GraphqlType, id: Row<'user'>['id']): string =>
  Buffer.from(`${type}---${id}`).toString('base64');
