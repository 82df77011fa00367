/**
 * Runs the bundle of the server (`build.ts`), with the code that V8 compiled for an earlier run where there is some:
 * a start then compiles next to nothing. Node keeps such code of modules from 22.1 on, but not of a server that it
 * starts on 20.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import type * as Main from './main.js';

/** In the bundle, before the name of a module of the SDK, which the plugins of users import too. */
export const SDK = 'plugboard:sdk/';

const dist = resolve(import.meta.dirname, '../..');
const file = join(dist, 'server/server.cjs');
/** Of this version of V8, with these flags. */
const compiledFile = join(dist, `server/compiled-${cachedDataVersionTag().toString(16)}.bin`);

/** What is in the file: one function. */
type Wrapped = (
  exports: object,
  module: { exports: object },
  require: (name: string) => unknown,
  importOutside: (specifier: string) => Promise<unknown>,
  bundledModule: (place: string) => { readonly url: string; readonly dirname: string },
) => void;

export interface Server {
  readonly main: typeof Main.main;
  /** Keeps what V8 has compiled so far for the next start, unless this one had some. Where it cannot be written, it is not kept. */
  keepCompiled(): void;
}

export async function loadServer(): Promise<Server> {
  const sdk = new Map<string, unknown>();
  for (const name of readdirSync(join(dist, 'kernel/sdk'))) {
    if (name.endsWith('.js')) sdk.set(SDK + name, await import(`../../kernel/sdk/${name}`));
  }
  const packages = createRequire(file);
  const { wrapped, keepCompiled } = loadScript(packages);
  const module = { exports: {} };
  wrapped(
    module.exports,
    module,
    (name) => sdk.get(name) ?? packages(name),
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
  // Node maps the places of modules alone to their sources; compiled code has no counters in it.
  if (process.sourceMapsEnabled || process.env['NODE_V8_COVERAGE'] !== undefined) {
    return { wrapped: require(file) as Wrapped, keepCompiled: () => undefined };
  }
  const cachedData = readCompiled();
  // The bundle is ASCII, whose string takes a byte a character.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: pathToFileURL(file).href,
    ...(cachedData && { cachedData }),
  });
  return {
    wrapped: script.runInThisContext() as Wrapped,
    keepCompiled() {
      if (script.cachedDataRejected !== false) writeCompiled(script.createCachedData());
    },
  };
}

/** V8 knows a script by its length: what is older than the script may be of another. */
function readCompiled(): Buffer | undefined {
  try {
    return statSync(compiledFile).mtimeMs < statSync(file).mtimeMs ? undefined : readFileSync(compiledFile);
  } catch {
    return undefined;
  }
}

/** Whole or not at all: V8 runs what it reads. */
function writeCompiled(code: Buffer): void {
  const unfinished = `${compiledFile}.${process.pid}`;
  try {
    const descriptor = openSync(unfinished, 'w');
    try {
      writeFileSync(descriptor, code);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, compiledFile);
  } catch {
    // The folder of the package may belong to somebody else.
    rmSync(unfinished, { force: true });
  }
}
