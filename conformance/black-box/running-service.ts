import type { Scope } from '../api/index.js';
import { HarnessError, runHarnessStep } from '../runner/failure.js';
import { buildRequest, type ParsedResponse, parseBody, type SendOptions } from '../service/request.js';
import { responseViolations } from '../service/response-checks.js';
import type { Wire } from '../service/wire.js';
import type { SampleRecords } from './sample-records.js';

/** A service that is already running and is known only by its responses. */
export interface RunningService {
  /** The URL of the API: `https://ci.example.com/api`. */
  readonly base: string;
  readonly organization: string;
  /** Existing records. */
  readonly sampleRecords: SampleRecords;
  /** The scopes of the token. */
  readonly scopes: readonly Scope[];
  /** The pipeline in which cases may create builds. Undefined if they may create none. */
  readonly pipeline: string | undefined;
  /** Sends a request, with the token of the run unless the options name another. Throws if the response breaks a rule for all responses. */
  send(method: string, target: string, options?: SendOptions): Promise<ParsedResponse>;
  /** A name that no record has, in this run or any other. */
  uniqueName(): string;
  /** Deletes the record at the path after the case. */
  deleteLater(path: string): void;
}

/** What all cases of a run share. */
export interface ConnectedService
  extends Pick<RunningService, 'base' | 'organization' | 'sampleRecords' | 'scopes' | 'pipeline'> {
  readonly send: RunningService['send'];
  /** Part of the name of every record that the run creates. */
  readonly runId: string;
}

/** Sends requests with a token, and checks every response against the rules for all responses. */
export const createSend =
  (wire: Wire, defaultToken: string): RunningService['send'] =>
  async (method, target, { token = defaultToken, ...options } = {}) => {
    const request = buildRequest(method, target, { ...options, token });
    const response = await wire.send(request);
    if (response.status === 429) throw new HarnessError('The service limits the rate of requests: it answered 429');
    const violations = await responseViolations(request, response);
    if (violations.length > 0)
      throw new Error(`${method} ${target} answered ${response.status}: ${violations.join('; ')}`);
    return parseBody(response);
  };

let nameCount = 0;

/** The service for one case. `close` deletes the records that the case created, the last one first. */
export function openForCase({ runId, ...connectedService }: ConnectedService) {
  const paths: string[] = [];
  const harness: RunningService = {
    ...connectedService,
    uniqueName: () => `millrace-conformance-${runId}-${++nameCount}`,
    deleteLater: (path) => void paths.push(path),
  };
  const close = async () => {
    for (const path of paths.toReversed()) {
      const { status } = await runHarnessStep(`${path} was not deleted`, () => connectedService.send('DELETE', path));
      if (status !== 204 && status !== 404) throw new Error(`${path} was not deleted: DELETE answered ${status}`);
    }
  };
  return { harness, close };
}
