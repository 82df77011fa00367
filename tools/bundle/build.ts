/**
 * The server and the packages that it loads, as one script: reading 1,500 modules is half of a start.
 * `load.ts` runs it.
 *
 * Everything is in there once more, from the same sources: tests, plugins' tests and tools use the modules. So do the
 * plugins of users, whose copy of the SDK agrees with the one in here: tokens, errors and schemas are known by what
 * they have in them, and not by identity.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'dist/server');

/**
 * Packages that are not loaded at every start, have files beside their modules, or keep what plugins share with the
 * server by identity (tsyringe).
 */
const NOT_BUNDLED = [
  '@echogarden/espeak-ng-emscripten',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/swagger-ui',
  '@huggingface/tokenizers',
  '@qdrant/js-client-rest',
  'libphonenumber-js',
  'lmdb',
  'mongodb',
  'mongodb-memory-server-core',
  'pino-pretty',
  'reflect-metadata',
  'snowball-stemmers',
  'tsyringe',
];

/** Writes the bundle, when anything that it is made of is newer. */
export async function bundleServer(): Promise<void> {
  if (isFresh()) return;
  // A build that is broken off leaves nothing that looks whole.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(root, 'tools/bundle/main.ts')],
    outfile: join(unfinished, 'server.cjs'),
    metafile: true,
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    external: NOT_BUNDLED,
    alias: { 'plugboard/sdk': join(root, 'kernel/sdk/index.ts') },
    plugins: [outside],
    // One function, as a script and as a module.
    banner: {
      js: `(typeof module === 'object' ? module : {}).exports = function (exports, module, require, importOutside, bundledModule) {`,
    },
    footer: { js: '};' },
  });
  writeFileSync(join(unfinished, 'LICENSES.txt'), licences(Object.keys(metafile.inputs)));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}

/** The notices of the packages that are in the bundle. Throws where a package has none. */
function licences(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)]
    .toSorted()
    .map((path) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(root, path, 'package.json'), 'utf8'),
      ) as { name: string; version: string; license?: string };
      const notices = readdirSync(join(root, path)).filter((file) =>
        /^(licen[cs]e|notice|copying)/i.test(file),
      );
      if (notices.length === 0 && license === undefined) throw new Error(`${name} names no licence`);
      const texts = notices.map((file) => readFileSync(join(root, path, file), 'utf8').trim());
      return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

function isFresh(): boolean {
  const script = join(folder, 'server.cjs');
  if (!existsSync(script)) return false;
  const made = statSync(script).mtimeMs;
  const compiled = ['kernel', 'plugins', 'tools'].flatMap((name) =>
    readdirSync(join(root, 'dist', name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(root, 'dist', name, file)),
  );
  return [...compiled, join(root, 'node_modules/.package-lock.json')].every(
    (file) => statSync(file).mtimeMs <= made,
  );
}

/** What a module finds beside itself is still beside the compiled module; what it imports from outside, `load.ts` imports. */
const outside: Plugin = {
  name: 'outside of the bundle',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const place = JSON.stringify(relative(folder, compiled(path)));
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', `bundledModule(${place}).url`)
        .replaceAll('import.meta.dirname', `bundledModule(${place}).dirname`)
        .replaceAll(/\bimport\((?:'([^']+)')?/g, (call, name?: string) =>
          name === undefined || NOT_BUNDLED.includes(name) ? call.replace('import', 'importOutside') : call,
        );
      return { contents, loader: 'ts' };
    });
  },
};

/** The module in dist that the compiler makes of a source. */
function compiled(source: string): string {
  return join(root, 'dist', relative(root, source)).replace(/\.ts$/, '.js');
}
