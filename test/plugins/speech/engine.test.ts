import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { EmbeddedEngine } from '../../../plugins/speech/engines/embedded/embedded.js';
import { FrameReader, encodeFrame } from '../../../plugins/speech/engines/embedded/frames.js';
import { findProgram, PACKAGE } from '../../../plugins/speech/engines/embedded/program.js';
import { EngineError } from '../../../plugins/speech/engines/engine.js';
import { read } from '../../../plugins/speech/reading/reading.js';
import { Speaker } from '../../../plugins/speech/service/speaker.js';
import { voiceById } from '../../../plugins/speech/voices/voices.js';
import { eventually } from '../../support/eventually.js';
import { root } from '../../support/fixtures.js';
import { NO_PAUSES, speechServer } from './support.js';

const never = new AbortController().signal;

async function utterance(text: string) {
  const { sentences } = await read(text);
  const [sentence] = sentences;
  const voice = voiceById('sera');
  assert.ok(sentence && voice);
  return { sentence, voice, speed: 1 };
}

/** A program that says it is ready, and does as `onJob` says with each job. */
const program = (onJob: string): string => `
const frame = (header, body = Buffer.alloc(0)) => {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  process.stdout.write(Buffer.concat([lengths, json, body]));
};
frame({ ready: true, sampleRate: 8000 });
process.stdin.on('data', () => { ${onJob} });
`;

interface Misbehaviour {
  readonly onJob: string;
  readonly failure: 'failed' | 'timeout';
  /** Milliseconds that a job may take. */
  readonly limit?: number;
}

describe('an engine that misbehaves', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugboard-engine-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [what, { onJob, failure, limit = 60_000 }] of Object.entries<Misbehaviour>({
    crashes: { onJob: 'process.exit(3)', failure: 'failed' },
    hangs: { onJob: '', failure: 'timeout', limit: 300 },
    'answers garbage': { onJob: "process.stdout.write('x'.repeat(100))", failure: 'failed' },
    refuses: { onJob: "frame({ id: 1, error: 'no' })", failure: 'failed' },
  })) {
    test(`that ${what} fails its own job, and the next job gets a new one`, async () => {
      const file = join(folder, `${what.replaceAll(' ', '-')}.mjs`);
      await writeFile(file, program(onJob));
      const engine = new EmbeddedEngine(file, 1, { base: limit, perSyllable: 0 });
      const isFailure = (error: unknown): boolean =>
        error instanceof EngineError && error.failure === failure;
      await assert.rejects(engine.speak(await utterance('가.'), never), isFailure);
      await assert.rejects(engine.speak(await utterance('가.'), never), isFailure);
      await engine.close();
      for (const pid of engine.pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    });
  }

  test('that cannot be loaded says what to install', async () => {
    for (const file of ['main.js', 'frames.js', 'package.json'])
      await copyFile(join(root, 'engines/espeak-ng', file), join(folder, file));
    const main = join(folder, 'main.js');
    const engine = new EmbeddedEngine(main, 1);
    await assert.rejects(
      engine.speak(await utterance('가.'), never),
      (error) => error instanceof EngineError && error.failure === 'not_installed',
    );
    await engine.close();
    // The same over HTTP: nothing is charged, and a client does not try again.
    await using server = await speechServer({ embedded: { program: main, workers: 1 } });
    const answer = await server.speak({ input: '가.' });
    assert.equal(answer.status, 502);
    assert.equal(answer.headers.get('x-should-retry'), 'false');
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    assert.equal(error.code, 'engine_not_installed');
    assert.match(error.message, /npm install plugboard-engine-espeak-ng/);
    const { used_seconds: used, reserved_seconds: reserved } = await server.usage();
    assert.deepEqual([used, reserved], [0, 0]);
  });
});

test('the engine is found next to the config first, then next to the server', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'plugboard-engine-')));
  try {
    assert.equal(findProgram(folder), join(root, 'engines/espeak-ng/main.js'));
    const own = join(folder, 'node_modules', PACKAGE);
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'package.json'), JSON.stringify({ name: PACKAGE, main: 'main.js' }));
    await writeFile(join(own, 'main.js'), '');
    assert.equal(findProgram(folder), join(own, 'main.js'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('without any engine a call fails as one that is not installed', async () => {
  const speaker = new Speaker([], NO_PAUSES, () => undefined);
  const { sentence: _, ...job } = await utterance('가.');
  const reading = await read('가.');
  await assert.rejects(
    speaker.speak({ ...job, reading, format: 'wav' }, never),
    (error) => error instanceof EngineError && error.failure === 'not_installed',
  );
  await speaker.close();
});

test('a child that is killed in the middle of a job is a 502, nothing is charged, and the next call works', async () => {
  await using server = await speechServer({ embedded: { workers: 1 } });
  const warm = await server.speak({ input: '준비.' });
  await warm.arrayBuffer();
  const charged = (await server.usage()).used_seconds;
  const [pid] = children();
  assert.ok(pid !== undefined);
  process.kill(pid, 'SIGSTOP');
  const call = server.speak({ input: '하나. 둘. 셋.' });
  await eventually(async () => (await server.usage()).reserved_seconds > 0, 'the call holds its allowance');
  process.kill(pid, 'SIGKILL');
  const response = await call;
  assert.equal(response.status, 502);
  assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'engine_failed');
  const usage = await server.usage();
  assert.deepEqual([usage.used_seconds, usage.reserved_seconds], [charged, 0]);
  assert.equal((await server.speak({ input: '하나. 둘. 셋.' })).status, 200);
});

test('children that are kept warm are there before the first call', async () => {
  const server = await speechServer({ embedded: { workers: 2, warm: true } });
  await eventually(() => children().length === 2, 'both are started');
  await server.stop();
  assert.deepEqual(children(), []);
});

test('a stopped server leaves no child process', async () => {
  const server = await speechServer();
  assert.equal((await server.speak({ input: '하나. 둘. 셋.' })).status, 200);
  assert.ok(children().length > 0);
  await server.stop();
  assert.deepEqual(children(), []);
});

test('the engine gets nothing of the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-engine-'));
  const file = join(folder, 'env.mjs');
  await writeFile(file, program('frame({ id: 1, error: JSON.stringify(process.env) })'));
  const engine = new EmbeddedEngine(file, 1);
  try {
    await assert.rejects(engine.speak(await utterance('가.'), never), /the sentence: \{\}$/);
  } finally {
    await engine.close();
  }
  await rm(folder, { recursive: true });
});

test('frames come out whole however the pipe cuts them, and one that is too long throws', () => {
  const bytes = Buffer.concat([encodeFrame({ a: 1 }), encodeFrame({ b: '가' })]);
  const reader = new FrameReader(1_000);
  const headers = Array.from(bytes).flatMap((byte) =>
    reader.push(Buffer.from([byte])).map(({ header }) => header),
  );
  assert.deepEqual(headers, [{ a: 1 }, { b: '가' }]);
  assert.throws(() => new FrameReader(10).push(bytes), /longer than 10/);
});

/** The children of this process that run the engine. */
function children(): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes('engines/espeak-ng/main.js'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => Number(parent) === process.pid)
    .map(([pid]) => Number(pid));
}
