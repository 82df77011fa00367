/** What the build made for browsers: `dist/console/built.json`, which `tools/console.ts` writes. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Paths from `dist/console` on. */
export interface BuiltModule {
  readonly module: string;
  /** Style sheets that it needs, in their order. */
  readonly css: readonly string[];
  /** Modules that it imports, at any depth. */
  readonly preload: readonly string[];
}

export interface BuiltFile {
  readonly type: string;
}

export interface Built {
  readonly shell: BuiltModule;
  /** The import map: the name of a shared library to its address below the console. */
  readonly imports: Readonly<Record<string, string>>;
  /** Pages of built-in plugins, by the module that they name, as a path from `dist` on. */
  readonly pages: Readonly<Record<string, BuiltModule>>;
  /** Every file, by its path. */
  readonly files: Readonly<Record<string, BuiltFile>>;
}

const DIST = resolve(import.meta.dirname, '../..');

/** The folder that the paths start from. */
export const BUILT_FOLDER = join(DIST, 'console');

export function readBuilt(): Built {
  return JSON.parse(readFileSync(join(BUILT_FOLDER, 'built.json'), 'utf8')) as Built;
}

/** The built module of a page, if it is one of ours. */
export function builtPage(built: Built, module: string): BuiltModule | undefined {
  const path = relative(DIST, module).replaceAll('\\', '/');
  return Object.hasOwn(built.pages, path) ? built.pages[path] : undefined;
}
