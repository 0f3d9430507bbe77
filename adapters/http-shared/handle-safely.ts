import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse } from './error-response.js';

/**
 * Has the API answer a request that is made by `request`. Never rejects: the core answers whatever goes wrong itself, and this
 * is for when it breaks that promise.
 */
export async function handleSafely(api: HttpApi, makeRequest: () => ApiRequest): Promise<ApiResponse> {
  try {
    return await api.handle(makeRequest());
  } catch {
    return internalErrorResponse();
  }
}
