import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One import of a file: of another file of the project, by its path, or of a package, by its name. */
export interface Import {
  readonly from: string;
  readonly file?: string;
  readonly package?: string;
  /** Whether the importing file cannot be loaded without it: neither `import type` nor `import()`. */
  readonly isLoaded: boolean;
}

const roots = ['core', 'adapters', 'conformance', 'benchmarks', 'examples', 'test'];

/** `import … from 'x'`, `export … from 'x'` and `import 'x'` at the beginning of a line; `import('x')` and `require('x')` anywhere. */
const statement =
  /^(?:import|export)\s(?<type>type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<name>[^']+)'|\b(?:import|require)\(\s*'(?<lazy>[^']+)'/gm;

/** All source files, as paths from the project's root. */
export const sourceFiles: readonly string[] = roots.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.c?ts$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(root, path)),
);

/** The imports of all source files, type-only ones included. */
export const imports: readonly Import[] = sourceFiles.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(statement)].flatMap(({ groups }): Import[] => {
    const name = groups?.name ?? groups?.lazy ?? '';
    const isLoaded = groups?.lazy === undefined && groups?.type === undefined;
    if (name.startsWith('node:')) return [];
    if (!name.startsWith('.')) return [{ from, package: packageOf(name), isLoaded }];
    return [{ from, file: normalize(join(dirname(from), name)).replace(/\.(c?)js$/, '.$1ts'), isLoaded }];
  }),
);

/** `@koa/bodyparser` and `typebox` of `typebox/schema`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Files that import each other in a circle; each circle once. */
export function importCycles(): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, file } of imports) if (file) targets.set(from, [...(targets.get(from) ?? []), file]);
  const done = new Set<string>();
  const cycles: string[][] = [];
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return cycles;
}
