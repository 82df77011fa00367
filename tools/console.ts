/**
 * Builds the browser part of the console with Vite: the shell, the kit, the pages of built-in plugins, and the
 * libraries that they share with pages of other plugins. It is one build, so nothing is loaded twice.
 *
 * Writes `dist/console/assets`, with a hash in every name and each file compressed too, and `dist/console/built.json`,
 * by which the plugin serves them (`plugins/console/built.ts`). For each page it writes the module that the plugin
 * names in `pages`.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Manifest, Plugin } from 'vite';
import type { Built, BuiltFile, BuiltModule } from '../plugins/console/built.js';
import { filesBelow } from './files-below.js';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'dist/console');
const client = join(root, 'plugins/console/client');

/** The names under which pages of other plugins import libraries that the console has already loaded. */
const SHARED = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tanstack/react-query',
  'plugboard/console',
];

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Builds when a source or an installed package is newer than what was built. */
export async function buildConsole(): Promise<void> {
  const pages = filesBelow(join(root, 'plugins')).filter((file) =>
    /^[^/]+\/console\/[^/]+\.page\.tsx$/.test(file),
  );
  if (isFresh()) return;
  console.log('building the console (the first time takes some seconds) ...');
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const manifest = await bundle(unfinished, pages);
  const { shell, imports, modules } = read(manifest, pages);
  const built: Built = { shell, imports, pages: modules, files: await compress(unfinished) };
  writeFileSync(join(unfinished, 'built.json'), `${JSON.stringify(built, null, 2)}\n`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  for (const [file, { module }] of Object.entries(modules)) writeModule(file, module);
}

function isFresh(): boolean {
  const built = join(folder, 'built.json');
  if (!existsSync(built)) return false;
  const made = statSync(built).mtimeMs;
  const sources = filesBelow(join(root, 'plugins')).filter((file) =>
    /^([^/]+\/console|console\/client)\//.test(file),
  );
  return [
    ...sources.map((file) => join(root, 'plugins', file)),
    join(root, 'node_modules/.package-lock.json'),
    import.meta.filename,
  ].every((file) => statSync(file).mtimeMs <= made);
}

async function bundle(outDir: string, pages: readonly string[]): Promise<Manifest> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    base: './',
    logLevel: 'warn',
    plugins: [react(), sharedLibraries],
    resolve: { alias: { 'plugboard/console': join(client, 'kit/index.ts') }, dedupe: ['react', 'react-dom'] },
    css: { modules: { generateScopedName: '[local]-[hash:base64:5]' } },
    build: {
      outDir,
      emptyOutDir: true,
      manifest: 'manifest.json',
      target: 'es2022',
      // Those with light-dark(): for older ones it is rewritten, which breaks with a scheme that an attribute chooses.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: {
          shell: join(client, 'shell/main.tsx'),
          ...Object.fromEntries(SHARED.map((name) => [fileName(name), `${VIRTUAL}${name}`])),
          ...Object.fromEntries(pages.map((page) => [pageName(page), join(root, 'plugins', page)])),
        },
        preserveEntrySignatures: 'exports-only',
      },
    },
  });
  const file = join(outDir, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  // `built.json` takes its place.
  rmSync(file);
  return manifest;
}

const VIRTUAL = 'virtual:shared/';

/** A module for each shared library. Names of CommonJS packages are listed: a bundler cannot know them all. */
const sharedLibraries: Plugin = {
  name: 'shared libraries',
  resolveId: (id) => (id.startsWith(VIRTUAL) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(`\0${VIRTUAL}`)) return undefined;
    const name = id.slice(VIRTUAL.length + 1);
    if (!name.startsWith('react')) return `export * from '${name}';`;
    const exported = Object.keys(createRequire(import.meta.url)(name) as object);
    const names = exported.filter((key) => /^[A-Za-z]\w*$/.test(key) && key !== 'default');
    return `export { ${names.join(', ')} } from '${name}'; export { default } from '${name}';`;
  },
};

function fileName(name: string): string {
  return name.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '');
}

/** `auth/console/keys.page.tsx` is `auth-keys`. */
function pageName(page: string): string {
  return page.replace('/console/', '-').replace(/\.page\.tsx$/, '');
}

function read(
  manifest: Manifest,
  pages: readonly string[],
): Pick<Built, 'shell' | 'imports'> & { modules: Built['pages'] } {
  const chunks = Object.values(manifest);
  const entry = (name: string): BuiltModule => {
    const chunk = chunks.find((one) => one.isEntry === true && one.name === name);
    if (chunk === undefined) throw new Error(`the console's build has no entry "${name}"`);
    const files = new Set<string>();
    const css = new Set<string>();
    const follow = ({ file, imports = [], css: sheets = [] }: Manifest[string]): void => {
      if (files.has(file)) return;
      files.add(file);
      for (const key of imports) follow(manifest[key]!);
      for (const sheet of sheets) css.add(sheet);
    };
    follow(chunk);
    files.delete(chunk.file);
    return { module: chunk.file, css: [...css], preload: [...files] };
  };
  return {
    shell: entry('shell'),
    imports: Object.fromEntries(SHARED.map((name) => [name, `./${entry(fileName(name)).module}`])),
    modules: Object.fromEntries(
      pages.map((page) => [`plugins/${page.replace(/\.tsx$/, '.js')}`, entry(pageName(page))]),
    ),
  };
}

/** Compressed once, here: brotli at its best takes seconds. */
async function compress(outDir: string): Promise<Built['files']> {
  const files = filesBelow(join(outDir, 'assets'));
  const each = files.map(async (name): Promise<[string, BuiltFile]> => {
    const type = TYPES[/\.\w+$/.exec(name)?.[0] ?? ''];
    if (type === undefined) throw new Error(`the console's build has a file of an unknown type: ${name}`);
    const path = join(outDir, 'assets', name);
    const content = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, { params }));
    writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    return [`assets/${name}`, { type }];
  });
  return Object.fromEntries(await Promise.all(each));
}

/** The module that `pages` of the plugin names: the kernel requires it, and any other console could load it. */
function writeModule(file: string, module: string): void {
  const path = join(root, 'dist', file);
  const text = `export * from '${relative(dirname(path), join(folder, module))}';\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
