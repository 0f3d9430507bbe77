import type { Scope } from '../../core/contract/operation.js';
import { asHarness, HarnessBroke } from '../runner/fault.js';
import { type Answer, requestOf, type SendOptions, withBody } from '../service/sending.js';
import { complaints } from '../service/strict.js';
import type { Wire } from '../service/wire.js';
import type { Landmarks } from './landmarks.js';

/** A service that runs already, and of which nothing is known but what it answers. */
export interface RunningService {
  /** What it is reached by: `https://ci.example.com/api`. */
  readonly base: string;
  readonly organization: string;
  /** What there is to look at. */
  readonly landmarks: Landmarks;
  /** Those of the token. */
  readonly scopes: readonly Scope[];
  /** The pipeline in which builds may be made; undefined where none may. */
  readonly pipeline: string | undefined;
  /** Sends a request; an answer that breaks what holds of all answers is an error. The token is sent unless another is named. */
  send(method: string, target: string, options?: SendOptions): Promise<Answer>;
  /** A name that no record has, neither of this run nor of another. */
  name(): string;
  /** Deletes what is at that path when the case is over. */
  deleteLater(path: string): void;
}

/** What all cases of a run have in common. */
export interface Reached extends Pick<RunningService, 'base' | 'organization' | 'landmarks' | 'scopes' | 'pipeline'> {
  readonly send: RunningService['send'];
  /** In the name of every record of the run. */
  readonly mark: string;
}

/** How requests with a token are sent and what comes back is judged. */
export const sendOver =
  (wire: Wire, own: string): RunningService['send'] =>
  async (method, target, { token = own, ...options } = {}) => {
    const request = requestOf(method, target, { ...options, token });
    const answer = await wire.send(request);
    if (answer.status === 429) throw new HarnessBroke('The service limits how often it may be asked: it answered 429');
    const wrong = await complaints(request, answer);
    if (wrong.length > 0) throw new Error(`${method} ${target} answered ${answer.status}: ${wrong.join('; ')}`);
    return withBody(answer);
  };

let named = 0;

/** The service for one case. `close` deletes what the case has made, the last first. */
export function openFor({ mark, ...reached }: Reached) {
  const paths: string[] = [];
  const harness: RunningService = {
    ...reached,
    name: () => `millrace-conformance-${mark}-${++named}`,
    deleteLater: (path) => void paths.push(path),
  };
  const close = async () => {
    for (const path of paths.toReversed()) {
      const { status } = await asHarness(`${path} was left behind`, () => reached.send('DELETE', path));
      if (status !== 204 && status !== 404) throw new Error(`${path} was left behind: deleting it answered ${status}`);
    }
  };
  return { harness, close };
}
