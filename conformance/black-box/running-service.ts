import type { Scope } from '../../core/model/scopes.js';
import { HarnessError, runHarnessStep } from '../runner/failure.js';
import { buildRequest, type ParsedResponse, parseBody, type SendOptions } from '../service/request.js';
import { responseViolations } from '../service/response-checks.js';
import type { Wire } from '../service/wire.js';
import type { SampleRecords } from './sample-records.js';

/** A service that runs already, and of which nothing is known but what it answers. */
export interface RunningService {
  /** What it is reached by: `https://ci.example.com/api`. */
  readonly base: string;
  readonly organization: string;
  /** What there is to look at. */
  readonly sampleRecords: SampleRecords;
  /** Those of the token. */
  readonly scopes: readonly Scope[];
  /** The pipeline in which builds may be made; undefined where none may. */
  readonly pipeline: string | undefined;
  /** Sends a request; an answer that breaks what holds of all answers is an error. The token is sent unless another is named. */
  send(method: string, target: string, options?: SendOptions): Promise<ParsedResponse>;
  /** A name that no record has, neither of this run nor of another. */
  uniqueName(): string;
  /** Deletes what is at that path when the case is over. */
  deleteLater(path: string): void;
}

/** What all cases of a run have in common. */
export interface ConnectedService
  extends Pick<RunningService, 'base' | 'organization' | 'sampleRecords' | 'scopes' | 'pipeline'> {
  readonly send: RunningService['send'];
  /** In the name of every record of the run. */
  readonly runId: string;
}

/** How requests with a token are sent and what comes back is judged. */
export const createSend =
  (wire: Wire, defaultToken: string): RunningService['send'] =>
  async (method, target, { token = defaultToken, ...options } = {}) => {
    const request = buildRequest(method, target, { ...options, token });
    const response = await wire.send(request);
    if (response.status === 429)
      throw new HarnessError('The service limits how often it may be asked: it answered 429');
    const violations = await responseViolations(request, response);
    if (violations.length > 0)
      throw new Error(`${method} ${target} answered ${response.status}: ${violations.join('; ')}`);
    return parseBody(response);
  };

let nameCount = 0;

/** The service for one case. `close` deletes what the case has made, the last first. */
export function openForCase({ runId, ...connectedService }: ConnectedService) {
  const paths: string[] = [];
  const harness: RunningService = {
    ...connectedService,
    uniqueName: () => `millrace-conformance-${runId}-${++nameCount}`,
    deleteLater: (path) => void paths.push(path),
  };
  const close = async () => {
    for (const path of paths.toReversed()) {
      const { status } = await runHarnessStep(`${path} was left behind`, () => connectedService.send('DELETE', path));
      if (status !== 204 && status !== 404) throw new Error(`${path} was left behind: deleting it answered ${status}`);
    }
  };
  return { harness, close };
}
