/**
 * Bundles the command line, the kernel, the plugins and the packages they load into a few modules: without it a start
 * reads 1,200 and takes 1.6 times the processor time (docs/decisions/0320-a-plain-bundle.md).
 *
 * The unbundled modules stay in dist for tests, tools and plugins of users. Their copy of the SDK agrees with the
 * bundled one: tokens, errors and schemas are recognised by brand, not by identity.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'dist/server');

/**
 * Packages that are not loaded at every start, have files next to their modules, or keep what plugins share with the
 * server by identity (tsyringe).
 */
const NOT_BUNDLED = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/swagger-ui',
  '@huggingface/tokenizers',
  '@modelcontextprotocol/server',
  '@pydantic/genai-prices',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'cmu-pronouncing-dictionary',
  'gpt-tokenizer',
  'libpg-query',
  'libphonenumber-js',
  'lmdb',
  'mongodb',
  'mongodb-memory-server-core',
  'mpg123-decoder',
  'openid-client',
  'opusscript',
  'pino-pretty',
  'reflect-metadata',
  'snowball-stemmers',
  'tsyringe',
];

/** Writes the bundle if any of its inputs is newer. */
export async function bundleServer(): Promise<void> {
  if (isFresh()) return;
  // An interrupted build leaves nothing that looks complete.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(root, 'tools/cli/main.ts')],
    outdir: unfinished,
    metafile: true,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    external: NOT_BUNDLED,
    alias: { 'plugboard/sdk': join(root, 'kernel/sdk/index.ts') },
    plugins: [places],
    // CommonJS packages in the bundle require Node's modules and the external packages.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  writeFileSync(join(unfinished, 'LICENSES.txt'), licences(Object.keys(metafile.inputs)));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}

/** The notices of the bundled packages. Throws if a package has none. */
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
  const script = join(folder, 'main.js');
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

/** A bundled module finds its tables, workers and pages where the compiler put it: all chunks are in one folder. */
const places: Plugin = {
  name: 'places of modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const module = relative(folder, compiled(path));
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(module)}, import.meta.url).href`)
        .replaceAll(
          'import.meta.dirname',
          `(import.meta.dirname + ${JSON.stringify(`/${dirname(module)}`)})`,
        );
      return { contents, loader: 'ts' };
    });
  },
};

/** The module in dist that the compiler makes of a source. */
function compiled(source: string): string {
  return join(root, 'dist', relative(root, source)).replace(/\.ts$/, '.js');
}
