import { nullable, type Schema, string } from '../schema/schema.js';

/** A name: required, not blank, at most 255 characters (decisions 8, 12). */
export const nameField = (description: string): Schema<string> =>
  string({ maxLength: 255, pattern: '\\S', reason: "can't be blank", description });

/** A description that may be absent: null clears it (decisions 8). */
export const descriptionField = (): Schema<string | null> => nullable(string({ maxLength: 10_000 }));

/** The properties of a body that were sent, so that an update leaves the others alone. */
export const omitUndefined = <T extends object>(values: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
