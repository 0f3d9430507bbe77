import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../usage-error.js';

/** Whether a text names a module rather than one of our own adapters. */
export const isModulePath = (text: string): boolean => /^\.{0,2}\/|\.[cm]?[jt]s$/.test(text);

/** The address that a module is imported by. */
export const moduleUrl = (path: string): string => pathToFileURL(resolve(path)).href;

/** What a module exports. That there is none, or that it cannot be loaded, is a complaint. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(resolve(path))) throw new UsageError(`There is no module ${path}`);
  try {
    return await import(moduleUrl(path));
  } catch (error) {
    const [line] = String(error).split('\n', 1);
    throw new UsageError(`${path} cannot be loaded: ${line}`);
  }
}
