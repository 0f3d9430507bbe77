import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';
import { failed } from './refusal.js';

/**
 * Has the API answer a request that is made by `request`. Never rejects: the core answers whatever goes wrong itself, and this
 * is for when it breaks that promise.
 */
export async function ask(api: HttpApi, request: () => ApiRequest): Promise<ApiResponse> {
  try {
    return await api.handle(request());
  } catch {
    return failed();
  }
}
