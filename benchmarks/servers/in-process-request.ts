import type { Api, ApiRequest } from '../../core/index.js';
import { accessToken } from '../data/organization.js';

/** A request for `api.handle` in this process. */
export const apiRequest = (target: string, method = 'GET', body?: unknown): ApiRequest => ({
  method,
  target,
  headers: {
    authorization: `Bearer ${accessToken}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  remoteAddress: '127.0.0.1',
  body: { parsed: body },
});

/** Sends a request and returns the text of the response. Throws if the status is 300 or above. */
export async function requestText(api: Api, target: string, method = 'GET', body?: unknown): Promise<string> {
  const response = await api.handle(apiRequest(target, method, body));
  const text = Buffer.concat(response.body).toString();
  if (response.status >= 300) throw new Error(`${method} ${target} was answered with ${response.status}: ${text}`);
  return text;
}
