/** The page of each service begins with what one can do with it: a program that runs unchanged. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../support/fixtures.js';
import { TestUpstream } from '../support/peers/upstream.js';
import { allPlugins, deployment } from '../support/servers/deployment.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

const run = promisify(execFile);

/** Each with what its program prints, where that is not the same each time. */
const SERVICES: Readonly<Record<string, RegExp | 'as shown'>> = {
  router: /^The moon does\.$/,
  memory: 'as shown',
  playground: /^version 2 on fast: 1 of 1, \$0\.\d+\nversion 1 on fast: 0 of 1, \$0\.\d+$/,
  speech: /^\d\.\d{3}$/,
  accounts: 'as shown',
  authorizations: 'as shown',
  events: 'as shown',
  ratelimit: 'as shown',
  dataquery: /^\[\s+\{\s+title: '.+',\s+year: 19\d\d,\s+directors: \{ name: '.+' \}\s+\}\s+\]$/,
  changes: 'as shown',
};

const answer = (question: string): string => {
  if (question.includes('tides')) return 'The moon does.';
  return question.startsWith('Name the capital') ? 'Seoul.' : 'A country in East Asia.';
};

describe('the page of', () => {
  // Inside of the package, so that its clients are found.
  const programs = join(root, 'dist/test/docs/service-pages');
  const data = join(tmpdir(), `plugboard-pages-${process.pid}`);
  let upstream: TestUpstream;
  let server: SpawnedServer;
  let key = '';

  before(async () => {
    mkdirSync(programs, { recursive: true });
    upstream = await TestUpstream.start('up');
    upstream.always({ kind: 'ok', content: ({ messages }) => answer(messages.at(-1)?.content ?? '') });
    const plugins = allPlugins(upstream.url);
    const installation = deployment(
      { use: 'embedded', path: data },
      {
        ...plugins,
        router: {
          ...plugins['router'],
          routes: { fast: { strategy: 'priority', targets: ['up/chat'] } },
          prices: { 'up/chat': { input: 1, output: 2 } },
        },
        dataquery: { ...plugins['dataquery'], auth: 'none' },
        accounts: null,
        changes: { allowPrivate: true },
      },
    );
    key = installation.key;
    server = await SpawnedServer.start(installation);
  });
  after(async () => {
    await server.end('SIGTERM');
    await upstream.stop();
    for (const folder of [programs, data]) rmSync(folder, { recursive: true, force: true });
  });

  for (const [service, expected] of Object.entries(SERVICES))
    test(`${service} begins with a program that prints what it shows`, async () => {
      const { program, shown } = firstProgram(service);
      const file = join(programs, `${service}.mjs`);
      writeFileSync(file, program.replaceAll('8080', new URL(server.url).port));
      const env = { ...process.env, KEY: key };
      const { stdout } = await run(process.execPath, [file], { env });
      if (expected === 'as shown') assert.equal(stdout.trim(), shown);
      else assert.match(stdout.trim(), expected);
    });
});

/** The part before the first heading below the title, and the output shown for it. */
function firstProgram(service: string): { program: string; shown: string | undefined } {
  const [top = ''] = readFileSync(join(root, 'plugins', service, 'README.md'), 'utf8').split(/^## /m);
  const [, program, shown] = /^```js\n([\s\S]*?)^```\n(?:\n```\n([\s\S]*?)^```)?/m.exec(top) ?? [];
  assert.ok(program, `plugins/${service}/README.md begins with a program`);
  return { program, shown: shown?.trim() };
}
