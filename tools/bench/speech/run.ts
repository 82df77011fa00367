/**
 * Speech vs the alternative: Debian's espeak-ng and ffmpeg, started for each text. All make mp3 of the same texts,
 * ffmpeg once with our quality of LAME (`-q:a 6`) and once at 64 kbit/s; the cache is off.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from '../context.js';
import { send } from '../load.js';
import { processorTime } from '../usage.js';

const SENTENCES = [
  '오늘은 하늘이 맑고 바람이 시원합니다.',
  '할머니는 마당에 고추를 널어 말리셨다.',
  '도서관은 월요일에 문을 열지 않습니다.',
  '강물은 쉬지 않고 바다로 흐른다.',
  '산꼭대기까지 오르는 데 두 시간이 걸렸다.',
];

interface Side {
  readonly name: string;
  readonly pid: number;
  speak(text: string): Promise<void>;
}

export default async function run(bench: Bench): Promise<void> {
  const server = await bench.plugboard('speech', {
    plugins: { speech: { monthlySeconds: 1_000_000, cacheBytes: 0 } },
  });
  const sides: Side[] = [
    {
      name: 'Plugboard',
      pid: server.pids[0] ?? 0,
      async speak(text) {
        const answer = await send(server, '/api/v1/audio/speech', { voice: 'gen_m5', input: text });
        await answer.arrayBuffer();
      },
    },
    programs('espeak-ng, ffmpeg -q:a 6', ['-q:a', '6']),
    programs('espeak-ng, ffmpeg 64 kbit/s', ['-b:a', '64k']),
  ];
  for (const [what, sentences] of [
    ['3 s', 1],
    ['10 s', 4],
    ['60 s', 21],
  ] as const)
    await bench.compare({
      what,
      sides,
      warm: 3,
      reference: 'espeak-ng, ffmpeg -q:a 6',
      async measure({ pid, speak }, round) {
        const text = textOf(sentences, round);
        const before = processorTime([pid]);
        const began = performance.now();
        await speak(text);
        const ms = performance.now() - began;
        return { ms, 'processor, ms': (processorTime([pid]) - before) / 1_000 };
      },
    });
}

/** The processor time of programs that have ended is that of this process's children. */
function programs(name: string, quality: readonly string[]): Side {
  return {
    name,
    pid: process.pid,
    async speak(text) {
      const voice = spawn('espeak-ng', ['-v', 'ko', '--stdout'], { stdio: ['pipe', 'pipe', 'ignore'] });
      const encoder = spawn('ffmpeg', ['-v', 'error', '-i', '-', ...quality, '-f', 'mp3', '-'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const ended = Promise.all([once(voice, 'close'), once(encoder, 'close')]);
      voice.stdout.pipe(encoder.stdin);
      voice.stdin.end(text);
      let bytes = 0;
      encoder.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await ended;
      if (bytes === 0) throw new Error('no sound: are espeak-ng and ffmpeg installed?');
    },
  };
}

/** So many sentences of about 3 s. */
function textOf(sentences: number, round: number): string {
  const rest = Array.from({ length: sentences - 1 }, (_, at) => SENTENCES[(round + at) % SENTENCES.length]);
  return [`이것은 ${round + 1}번째로 읽는 글입니다.`, ...rest].join(' ');
}
