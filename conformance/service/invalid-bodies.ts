import assert from 'node:assert/strict';
import type { Service } from './service.js';

/** An invalid body and the expected message. */
export type InvalidBody = readonly [body: unknown, message: string];

/** Sends every body with every method, and expects a 422 with exactly this message (spec 7, decisions 8). */
export async function expectAllRejected(
  service: Service,
  methods: readonly string[],
  target: string,
  invalidBodies: readonly InvalidBody[],
): Promise<void> {
  for (const method of methods) {
    for (const [body, message] of invalidBodies) {
      const response = await service.send(method, target, { body });
      const what = `${method} ${target} ${JSON.stringify(body).slice(0, 200)}`;
      assert.deepEqual([response.status, response.body], [422, { message }], what);
    }
  }
}

/** A text of the given length. */
export const textOfLength = (length: number): string => 'x'.repeat(length);

/** Texts that cannot be stored (decisions 1). */
export const unstorableTexts: readonly string[] = ['a\0b', '\ud800', 'x\udfff'];
