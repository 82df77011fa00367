/**
 * Speech beside what people would use instead: Debian's espeak-ng and ffmpeg, started for each text. Both make mp3 of
 * the same texts, in alternating rounds, ffmpeg once with our quality of LAME (`-q:a 6`) and once at 64 kbit/s; no text
 * comes twice, and the cache is off. Client and server share one process. `npm run speech [ROUNDS] [CALLS]` in
 * tools/bench.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bootTest } from 'plugboard/testing';
import type * as Speech from '../../../dist/plugins/speech/index.js';
import { machine, median, table } from '../table.js';

const ROUNDS = Number(process.argv[2] ?? 7);
const CALLS = Number(process.argv[3] ?? 1_000);

const { default: speech } = (await import(
  new URL('../../../../dist/plugins/speech/index.js', import.meta.url).href
)) as typeof Speech;

const server = await bootTest({
  plugins: [{ plugin: speech, config: { monthlySeconds: 1_000_000, cacheBytes: 0 } }],
});
const url = await server.listen();
const headers = { 'content-type': 'application/json', authorization: `Bearer ${await server.key('speech')}` };

const SENTENCES = [
  '오늘은 하늘이 맑고 바람이 시원합니다.',
  '할머니는 마당에 고추를 널어 말리셨다.',
  '도서관은 월요일에 문을 열지 않습니다.',
  '강물은 쉬지 않고 바다로 흐른다.',
  '산꼭대기까지 오르는 데 두 시간이 걸렸다.',
];

let made = 0;
/** A text of so many sentences of about 3 s, the first of which comes nowhere else. */
function textOf(sentences: number): string {
  made += 1;
  const rest = Array.from({ length: sentences - 1 }, (_, at) => SENTENCES[(made + at) % SENTENCES.length]);
  return [`이것은 ${made}번째로 읽는 글입니다.`, ...rest].join(' ');
}

async function ours(text: string): Promise<{ ms: number; seconds: number }> {
  const began = performance.now();
  const answer = await fetch(`${url}/api/v1/audio/speech`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ voice: 'gen_m5', input: text }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${answer.status}`);
  return { ms: performance.now() - began, seconds: Number(answer.headers.get('x-audio-duration-seconds')) };
}

const QUALITIES = { quality: ['-q:a', '6'], rate: ['-b:a', '64k'] } as const;

async function theirs(text: string, quality: keyof typeof QUALITIES): Promise<number> {
  const began = performance.now();
  const voice = spawn('espeak-ng', ['-v', 'ko', '--stdout'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const encoder = spawn('ffmpeg', ['-v', 'error', '-i', '-', ...QUALITIES[quality], '-f', 'mp3', '-'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  voice.stdout.pipe(encoder.stdin);
  voice.stdin.end(text);
  let bytes = 0;
  for await (const chunk of encoder.stdout) bytes += (chunk as Buffer).length;
  if (bytes === 0) throw new Error('no sound');
  return performance.now() - began;
}

/** Milliseconds of processor time of both programs. */
function theirWork(text: string, quality: keyof typeof QUALITIES): number {
  const line = `time (espeak-ng -v ko --stdout | ffmpeg -v error -i - ${QUALITIES[quality].join(' ')} -f mp3 - >/dev/null)`;
  const { stderr } = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; ${line}`], {
    input: text,
    encoding: 'utf8',
  });
  const [user = NaN, system = NaN] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1_000;
}

/** Milliseconds of processor time of server, client and workers. */
async function ourWork(text: string): Promise<number> {
  const before = { own: process.cpuUsage(), workers: workerTime() };
  await ours(text);
  const { user, system } = process.cpuUsage(before.own);
  return (user + system) / 1_000 + workerTime() - before.workers;
}

console.log(`${machine()}; ${ROUNDS} rounds\n`);
for (let warm = 0; warm < 20; warm += 1) await ours(textOf(4));

const rows: (string | number)[][] = [];
const workRows: (string | number)[][] = [];
for (const [seconds, sentences] of [
  [3, 1],
  [10, 4],
  [60, 21],
] as const) {
  const times = { ours: [] as number[], quality: [] as number[], rate: [] as number[] };
  const work = { ours: [] as number[], quality: [] as number[], rate: [] as number[] };
  let length = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = textOf(sentences);
    const { ms, seconds: sound } = await ours(text);
    times.ours.push(ms);
    times.quality.push(await theirs(text, 'quality'));
    times.rate.push(await theirs(text, 'rate'));
    length = sound;
    work.ours.push(await ourWork(textOf(sentences)));
    work.quality.push(theirWork(text, 'quality'));
    work.rate.push(theirWork(text, 'rate'));
  }
  const ratio = (peer: readonly number[]): string =>
    median(times.ours.map((ms, round) => ms / (peer[round] ?? NaN))).toFixed(2);
  rows.push([
    `${seconds} s (${length.toFixed(1)})`,
    ...[times.ours, times.quality, times.rate].map((list) => median(list).toFixed(0)),
    ratio(times.quality),
    ratio(times.rate),
  ]);
  workRows.push([
    `${seconds} s (${length.toFixed(1)})`,
    ...[work.ours, work.quality, work.rate].map((list) => median(list).toFixed(0)),
    ...[work.quality, work.rate].map((list) => (median(work.ours) / median(list)).toFixed(2)),
  ]);
}
const columns = ['Plugboard, ms', '-q:a 6, ms', '64k, ms', 'ratio to -q:a 6', 'ratio to 64k'];
console.log(table(['sound, by the clock', ...columns], rows));
console.log(`\n${table(['sound, processor time', ...columns], workRows)}`);

const began = performance.now();
const clips = await Promise.all(Array.from({ length: 4 }, () => ours(textOf(21))));
const sound = clips.reduce((sum, { seconds }) => sum + seconds, 0);
const rate = sound / ((performance.now() - began) / 1_000);
console.log(`\ntwo workers, four calls at a time: ${rate.toFixed(0)} s of sound a second`);
console.log(`memory of a worker, MB: ${workers().join(', ')}`);

const memory = (): string =>
  `server ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB, workers ${workers().join(' and ')} MB`;
for (let call = 0; call <= CALLS; call += 1) {
  await ours(textOf(1));
  if (call === Math.round(CALLS / 10) || call === Math.round(CALLS / 2) || call === CALLS)
    console.log(`after ${call} calls: ${memory()}`);
}
await server.stop();

/** Resident memory of the engine's processes, in MB. */
function workers(): number[] {
  return workerPids().map(
    (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) >> 10,
  );
}

/** Milliseconds that the engine's processes have computed, in steps of ten. */
function workerTime(): number {
  const ticks = workerPids().map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return 10 * ticks.reduce((sum, one) => sum + one, 0);
}

function workerPids(): string[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('engines/espeak-ng/main.js'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => Number(parent) === process.pid)
    .flatMap(([pid]) => pid ?? []);
}
