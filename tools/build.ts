/**
 * The second half of `npm run build`, after the compiler: files that the compiled code needs and the compiler does not
 * write.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import wabt from 'wabt';
import { bundleServer } from './bundle.js';
import { buildConsole } from './console.js';

const dist = resolve(import.meta.dirname, '..');
const plugins = resolve(dist, '../plugins');

removeLeftOvers();
chmodSync(join(dist, 'tools/plugboard.js'), 0o755);
for (const file of readdirSync(plugins, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.wat')) await assemble(file);
  if (file.endsWith('.bin')) copyBeside(file);
}
await bundle('kernel/sdk/typebox', 'typebox');
// Browsers load these files unbundled.
const forBrowsers = 'authorizations/oauth/files';
rmSync(join(dist, 'plugins', forBrowsers), { recursive: true, force: true });
cpSync(join(plugins, forBrowsers), join(dist, 'plugins', forBrowsers), {
  recursive: true,
  preserveTimestamps: true,
});
await buildConsole();
await bundleServer();

/** Output of deleted sources: code that finds modules by folder would load it, and the package would ship it. */
function removeLeftOvers(): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (/^(server|console)\//.test(file) || !/\.(js|d\.ts|js\.map|json|wasm|bin)$/.test(file)) continue;
    const source = file.replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts').replace(/\.wasm$/, '.wat');
    // The module of a page of the console is made of a .tsx file.
    if (![source, `${source}x`].some((path) => existsSync(join(dist, '..', path)))) rmSync(join(dist, file));
  }
}

/** Data, with the licence that it is under; megabytes that seldom change. */
function copyBeside(file: string): void {
  for (const name of [file, join(dirname(file), 'LICENSE')]) {
    cpSync(join(plugins, name), join(dist, 'plugins', name), { preserveTimestamps: true });
  }
}

/**
 * A module that hands out a package of many files becomes one file with all of them inside, when the compiler wrote
 * it again or the package has another version.
 */
async function bundle(module: string, name: string): Promise<void> {
  const { version } = JSON.parse(
    readFileSync(join(dist, '../node_modules', name, 'package.json'), 'utf8'),
  ) as { version: string };
  const banner = `// ${name} ${version}, bundled`;
  const file = join(dist, `${module}.js`);
  if (readFileSync(file, 'utf8').startsWith(banner)) return;
  await build({
    entryPoints: [join(dist, '..', `${module}.ts`)],
    outfile: file,
    banner: { js: banner },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

/** plugins/x/y.wat to dist/plugins/x/y.wasm, next to the compiled module that loads it. */
async function assemble(file: string): Promise<void> {
  const assembler = await wabt();
  const module = assembler.parseWat(file, readFileSync(join(plugins, file), 'utf8'), {
    simd: true,
    threads: true,
  });
  const target = join(dist, 'plugins', file.replace(/\.wat$/, '.wasm'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, module.toBinary({}).buffer);
  module.destroy();
}
