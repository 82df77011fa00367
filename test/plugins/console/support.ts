/** A server with the console, and a page of a plugin that is not built in. */
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import consolePlugin from '../../../plugins/console/index.js';

export const ADMIN_PASSWORD = 'seven green tractors';
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

type Options = NonNullable<Parameters<typeof bootTest>[0]>;

export function bootConsole({ plugins = [], ...options }: Options = {}): Promise<TestServer> {
  return bootTest({
    auth: { adminPassword: ADMIN_PASSWORD },
    ...options,
    plugins: [{ plugin: consolePlugin }, ...plugins],
  });
}

/** A plugin with two pages in a folder of its own, next to a file that must not be served. */
export async function notes() {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-pages-'));
  after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'pages/parts'), { recursive: true });
  await writeFile(join(folder, 'secret.js'), 'export const secret = 1;');
  await writeFile(join(folder, 'pages/notes.js'), 'export function mount() {}');
  await writeFile(join(folder, 'pages/notes.css'), 'p { color: red }');
  await writeFile(join(folder, 'pages/notes.ts'), 'the source');
  await writeFile(join(folder, 'pages/parts/row.js'), 'export const row = 1;');
  await symlink(join(folder, 'secret.js'), join(folder, 'pages/linked.js'));
  const page = {
    console: 1,
    title: 'Notes',
    group: 'Services',
    module: join(folder, 'pages/notes.js'),
    css: [join(folder, 'pages/notes.css')],
  } as const;
  return definePlugin({
    name: 'notes',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    scopes: { notes: 'read notes' },
    setup: () => ({
      pages: [
        { ...page, id: 'read', scope: 'notes' },
        { ...page, id: 'rule', scope: 'manage' },
      ],
    }),
  });
}
