/** Every config that a page shows passes the check, as `plugboard check` makes it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { prepare } from '../../kernel/boot/plan/prepare.js';
import { readConfig } from '../../kernel/config/read.js';
import { builtins } from '../../plugins/index.js';
import { renderProblems } from '../../tools/cli/problems.js';
import { root } from '../support/fixtures.js';

const SECTIONS = new Set(['version', 'server', 'log', 'providers', 'plugins']);

/** Blocks of YAML that are no config of this server, by the page and their first line. */
const NO_CONFIGS: Readonly<Record<string, string>> = {
  'docs/operating.md: terminationGracePeriodSeconds: 60': 'a part of a pod of Kubernetes',
  'docs/live-changes.md: todos:': 'a part of a catalog',
  'docs/row-policies.md: todos:': 'a part of a catalog',
};

interface Shown {
  /** The page and the first line. */
  readonly name: string;
  readonly text: string;
}

const pages = [
  'README.md',
  ...filesBelow('docs').filter((path) => !path.startsWith('docs/decisions/')),
  ...filesBelow('plugins').filter((path) => path.endsWith('/README.md')),
];
const shown: Shown[] = pages.flatMap((page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm),
    ([, text = '']) => ({ name: `${page}: ${firstLine(text)}`, text }),
  ),
);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`);
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
}

/** Of 32 bytes, as keys are; long enough for all else. */
const SECRET = Buffer.alloc(32, 1).toString('base64');
const API_KEY = `pb_${'a'.repeat(40)}`;

/** Of a block that shows only what it speaks of: the line that every file has, and a plugin. */
function whole(text: string): string {
  const keys = Object.keys(parse(text) as object);
  assert.deepEqual(
    keys.filter((key) => !SECTIONS.has(key)),
    [],
  );
  return [
    ...(keys.includes('version') ? [] : ['version: 1']),
    text,
    ...(keys.includes('plugins') ? [] : ['plugins: { ratelimit: }']),
  ].join('\n');
}

/** Plugins that the pages make up. */
const MADE_UP = [
  './plugins/audience.js',
  '@acme/plugboard-search',
  '../guestbook/dist/index.js',
  '@acme/plugboard-weather',
  'plugboard-plugin-guestbook',
];

/** A value for each variable that it asks for and has no default. */
function environment(text: string): Record<string, string> {
  const names = Array.from(text.matchAll(/\$\{([A-Z0-9_]+)(?:\}|:\?)/g), ([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

function valueOf(name: string): string {
  if (name.includes('URI') || name.includes('URL')) return 'mongodb://127.0.0.1/?replicaSet=rs0';
  return name.endsWith('plugboard-key') ? API_KEY : SECRET;
}

/** The problems of a page; files of secrets are on another machine. */
async function problemsOf({ name, text }: Shown): Promise<string> {
  const onPage = whole(text).replaceAll(/\$\{file:([^}]*)\}/g, (_, file: string) => valueOf(file));
  const { source, problems } = readConfig(name, onPage);
  const { problems: more } = await prepare({
    source,
    builtins,
    env: environment(text),
    baseDir: join(root, 'config'),
  });
  const real = [...problems, ...more].filter(
    ({ message }) => !MADE_UP.some((plugin) => message.includes(`"${plugin}"`)),
  );
  return renderProblems(real, source);
}

for (const one of shown.filter(({ name }) => NO_CONFIGS[name] === undefined))
  test(`the config passes the check that is shown in ${one.name}`, async () => {
    assert.equal(await problemsOf(one), '', one.text);
  });

test('what is no config is still shown, and a mistake is found', async () => {
  const names = shown.map(({ name }) => name);
  for (const name of Object.keys(NO_CONFIGS)) assert.ok(names.includes(name), name);
  const mistaken = { name: 'page', text: 'plugins:\n  speech: { engine: [embedded] }\n' };
  assert.match(await problemsOf(mistaken), /unknown key "engine"/);
});
