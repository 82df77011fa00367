/** Everything that README.md tells a newcomer to type, typed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { builtins } from '../../plugins/index.js';
import { readConfig } from '../../kernel/config/read.js';
import { renderProblems } from '../../tools/cli/problems.js';
import { prepare } from '../../kernel/boot/plan/prepare.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { mongodbMissing, mongodbUrl } from '../support/stores.js';

const run = promisify(execFile);

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: Block[] = Array.from(
  readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm),
  ([, language = '', text = '']) => ({ language, text: text.trim() }),
);

/** What other tests and the checks of every change run: the two commands of the README, and those that need a server elsewhere. */
const RUN_ELSEWHERE = [
  /^npm ci && npm start$/,
  /^npm ci && npm test$/,
  /^export KEY=/,
  /^export MONGODB_URI=/,
  /data (export|import) \.\/moved/,
  /run config\/mongodb\.yaml$/,
];

describe('the README', () => {
  let server: SpawnedServer;
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugboard-readme-'));
    server = await SpawnedServer.run(['config/default.yaml'], {
      env: { PORT: '0', PLUGBOARD_DATA: join(folder, 'data') },
    });
  });
  after(async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  test('every request answers as it is shown', async () => {
    let requests = 0;
    for (const [at, { language, text }] of blocks.entries()) {
      if (language !== 'sh' || !text.startsWith('curl')) continue;
      const { stdout } = await run('bash', ['-c', text.replaceAll('http://127.0.0.1:8080', server.url)], {
        env: { ...process.env, KEY: /\bpb_[\w-]+/.exec(server.output)?.[0] },
      });
      const shown = blocks[at + 1];
      assert.equal(shown?.language, 'json', `an answer is shown for ${text}`);
      const difference = differenceOf(JSON.parse(shown.text), JSON.parse(stdout), '');
      assert.equal(difference, undefined, `${text}\n${stdout}`);
      requests += 1;
    }
    assert.ok(requests >= 4, `${requests} requests`);
  });

  test('every config passes the check', async () => {
    for (const { language, text } of blocks) {
      if (language !== 'yaml') continue;
      const { source, problems } = readConfig('README.md', text);
      const prepared = await prepare({
        source,
        builtins,
        env: { OPENAI_API_KEY: 'sk-x', MONGODB_URI: 'mongodb://h', SEAL_KEY: 'x' },
        baseDir: join(root, 'config'),
      });
      const all = [...problems, ...prepared.problems];
      assert.deepEqual(renderProblems(all, source), '', text);
    }
  });

  test('the data moves to MongoDB as shown', { skip: mongodbMissing }, async () => {
    const block = blocks.find(({ text }) => text.includes('data import ./moved'));
    const lines = block?.text.split('\n').filter((line) => / data (export|import) /.test(line)) ?? [];
    assert.equal(lines.length, 2);
    const { stdout } = await run(
      'bash',
      ['-ec', lines.join('\n').replaceAll('./moved', join(folder, 'moved'))],
      {
        cwd: root,
        env: {
          ...process.env,
          PLUGBOARD_DATA: join(folder, 'data'),
          MONGODB_URI: await mongodbUrl(),
          MONGODB_DATABASE: `test_readme_${Date.now()}`,
        },
      },
    );
    assert.match(stdout, /exported \d+ documents of \d+ collections .*seal\.key/);
    assert.match(stdout, /imported \d+ documents of \d+ collections.*; all are as they were exported/);
  });

  test('every other command runs, or is run by a test of its own', async () => {
    for (const { language, text } of blocks) {
      if (language !== 'sh' || text.startsWith('curl')) continue;
      for (const line of text.split('\n')) {
        const command = line.replace(/\s+#.*$/, '');
        if (RUN_ELSEWHERE.some((known) => known.test(command))) continue;
        const inFolder = command.replaceAll('../guestbook', join(folder, 'guestbook'));
        const env = {
          ...process.env,
          PLUGBOARD_DATA: join(folder, 'data'),
          npm_config_prefer_offline: 'true',
        };
        await run('bash', ['-c', inFolder], { cwd: root, env }).catch(
          (error: { stdout?: string; stderr?: string }) => {
            assert.fail(`${command}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
          },
        );
      }
    }
  });
});

/** Where an answer differs from the one shown. `"..."` is any value, and at the end of a list any further items. */
function differenceOf(shown: unknown, answer: unknown, path: string): string | undefined {
  if (shown === '...') return undefined;
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer)) return `${path} is not a list`;
    const open = shown.at(-1) === '...';
    const items = open ? shown.slice(0, -1) : shown;
    if (open ? answer.length < items.length : answer.length !== items.length)
      return `${path} has ${answer.length} items`;
    return items
      .map((item, at) => differenceOf(item, answer[at], `${path}[${at}]`))
      .find((one) => one !== undefined);
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answer !== 'object' || answer === null) return `${path} is not an object`;
    const open = '...' in shown;
    const keys = Object.keys(shown).filter((key) => key !== '...');
    const extra = Object.keys(answer).find((key) => !keys.includes(key));
    if (!open && extra !== undefined) return `${path}.${extra} is not shown`;
    return keys
      .map((key) =>
        differenceOf(
          (shown as Record<string, unknown>)[key],
          (answer as Record<string, unknown>)[key],
          `${path}.${key}`,
        ),
      )
      .find((one) => one !== undefined);
  }
  return shown === answer ? undefined : `${path} is ${JSON.stringify(answer)}`;
}
