/** Runs the bundle of the server, which `build.ts` makes, with the code that V8 compiled for an earlier run. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { readCompiled, writeCompiled } from './compiled-code.js';
import type * as Main from './main.js';

const dist = resolve(import.meta.dirname, '../..');
const file = join(dist, 'server/server.cjs');

/** What is in the file: one function. */
type Wrapped = (
  exports: object,
  module: { exports: object },
  require: NodeJS.Require,
  importOutside: (specifier: string) => Promise<unknown>,
  bundledModule: (place: string) => { readonly url: string; readonly dirname: string },
) => void;

export interface Server {
  readonly main: typeof Main.main;
  /** Keeps what V8 has compiled so far for the next start, unless this one had some. */
  keepCompiled(): void;
}

export function loadServer(): Server {
  const require = createRequire(file);
  const { wrapped, keepCompiled } = loadScript(require);
  const module = { exports: {} };
  wrapped(
    module.exports,
    module,
    require,
    (specifier) => import(specifier),
    (place) => {
      const path = join(dist, 'server', place);
      return { url: pathToFileURL(path).href, dirname: dirname(path) };
    },
  );
  const { main } = module.exports as typeof Main;
  return { main, keepCompiled };
}

function loadScript(require: NodeJS.Require): { wrapped: Wrapped; keepCompiled: () => void } {
  // Node maps places in modules alone to their sources, and compiled code has no counters in it.
  if (process.sourceMapsEnabled || process.env['NODE_V8_COVERAGE']) {
    return { wrapped: require(file) as Wrapped, keepCompiled: () => undefined };
  }
  const cachedData = readCompiled(file);
  // The bundle is ASCII, whose string takes a byte a character.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: pathToFileURL(file).href,
    ...(cachedData && { cachedData }),
  });
  return {
    wrapped: script.runInThisContext() as Wrapped,
    keepCompiled() {
      if (script.cachedDataRejected !== false) writeCompiled(file, script.createCachedData());
    },
  };
}
