/** The build's output for browsers: `dist/console/built.json`, written by `tools/console.ts`. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Paths relative to `dist/console`. */
export interface BuiltModule {
  readonly module: string;
  /** Its style sheets, in order. */
  readonly css: readonly string[];
  /** Modules that it imports, at any depth. */
  readonly preload: readonly string[];
}

export interface BuiltFile {
  readonly type: string;
}

export interface Built {
  readonly shell: BuiltModule;
  /** The import map: from shared library to its path below the console. */
  readonly imports: Readonly<Record<string, string>>;
  /** Pages of built-in plugins, by module path relative to `dist`. */
  readonly pages: Readonly<Record<string, BuiltModule>>;
  /** Every file, by its path. */
  readonly files: Readonly<Record<string, BuiltFile>>;
}

const DIST = resolve(import.meta.dirname, '../..');

/** The folder that the paths are relative to. */
export const BUILT_FOLDER = join(DIST, 'console');

export function readBuilt(): Built {
  return JSON.parse(readFileSync(join(BUILT_FOLDER, 'built.json'), 'utf8')) as Built;
}

/** The built module of a page, if it is built-in. */
export function builtPage(built: Built, module: string): BuiltModule | undefined {
  const path = relative(DIST, module).replaceAll('\\', '/');
  return Object.hasOwn(built.pages, path) ? built.pages[path] : undefined;
}
