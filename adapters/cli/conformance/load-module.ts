import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../usage-error.js';

/** Whether a text is the path of a module rather than the name of one of our adapters. */
export const isModulePath = (text: string): boolean => /^\.{0,2}\/|\.[cm]?[jt]s$/.test(text);

/** The file URL of a module. */
export const moduleUrl = (path: string): string => pathToFileURL(resolve(path)).href;

/** Imports a module. Throws `UsageError` if it does not exist or cannot be loaded. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(resolve(path))) throw new UsageError(`The module ${path} does not exist`);
  try {
    return await import(moduleUrl(path));
  } catch (error) {
    const [line] = String(error).split('\n', 1);
    throw new UsageError(`${path} cannot be loaded: ${line}`);
  }
}
