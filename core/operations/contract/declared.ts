import type { Method } from '../../http/router.js';

/** The literal types of an operation's declaration. The typed client is derived from them. */
export interface OperationShape {
  readonly form: 'list' | 'read' | 'command' | 'public';
  /** All of these as literal types. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** The values of the query parameters, all optional. */
  readonly query: object;
  /** An empty object where the operation has no body. */
  readonly body: unknown;
  /** One record of a list; undefined where the answer is empty. */
  readonly reply: unknown;
}

/** An operation that carries its shape as a type; nothing of it is there at run time. */
export type Declared<O, S extends OperationShape> = O & { readonly '~shape'?: S };

/** The shapes of operations; of a union of them, a union. */
export type ShapeOf<D> = D extends { readonly '~shape'?: infer S extends OperationShape } ? S : never;
