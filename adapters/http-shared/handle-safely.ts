import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse } from './error-response.js';

/**
 * Lets the API handle the request that `makeRequest` returns. Never rejects. The core turns its own errors into responses; this
 * catches what breaks that contract.
 */
export async function handleSafely(api: HttpApi, makeRequest: () => ApiRequest): Promise<ApiResponse> {
  try {
    return await api.handle(makeRequest());
  } catch {
    return internalErrorResponse();
  }
}
