/**
 * What an API key costs: requests a second on a guarded route over those on the same route without a guard.
 *
 * Both in one run, in turns. Requests are pipelined over raw sockets and answers are counted by their bytes,
 * so that the client costs next to nothing and the server is what is measured.
 */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { median, withServer } from './start.js';

const CONNECTIONS = 8;
const PIPELINED = 8;
const ROUND = 2_000;
const ROUNDS = 9;

interface Round {
  readonly perSecond: number;
  /** Processor time of the server per request, in microseconds: not disturbed by what else the machine does. */
  readonly cpu: number;
}

await withServer(async ({ url, key, cpuTime }) => {
  const { hostname, port } = new URL(url);
  // The same bytes but for the path: only the guard makes the difference.
  const [open, guarded] = ['/open', '/keys'].map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`),
  ) as [Buffer, Buffer];
  for (const request of [open, guarded]) await runRound(request);
  const rounds: Record<'open' | 'guarded', Round[]> = { open: [], guarded: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order alternates, so that a machine that slows down favours neither.
    if (round % 2 === 0) rounds.open.push(await runRound(open));
    rounds.guarded.push(await runRound(guarded));
    if (round % 2 === 1) rounds.open.push(await runRound(open));
  }
  for (const [name, of] of Object.entries(rounds)) {
    const [rate, cpu] = [median(of.map(({ perSecond }) => perSecond)), median(of.map((each) => each.cpu))];
    console.log(
      `${name.padEnd(8)} ${Math.round(rate)} requests/s, ${cpu.toFixed(2)} us of processor time each`,
    );
  }
  const ratio = (of: (open: Round, guarded: Round) => number): string =>
    median(rounds.open.map((each, at) => of(each, rounds.guarded[at] ?? each))).toFixed(3);
  console.log(
    `ratio    ${ratio((a, b) => b.perSecond / a.perSecond)} of the requests/s, ${ratio((a, b) => a.cpu / b.cpu)} by processor time (medians of ${ROUNDS} rounds)`,
  );

  async function runRound(request: Buffer): Promise<Round> {
    const sockets = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openSocket(Number(port), hostname)),
    );
    const length = await answerLength(sockets[0], request);
    const cpuBefore = await cpuTime();
    const began = performance.now();
    const counts = await Promise.all(sockets.map((socket) => load(socket, request, length)));
    const seconds = (performance.now() - began) / 1000;
    for (const socket of sockets) socket.destroy();
    const count = counts.reduce((sum, each) => sum + each, 0);
    return { perSecond: count / seconds, cpu: ((await cpuTime()) - cpuBefore) / count };
  }
});

async function openSocket(port: number, host: string): Promise<Socket> {
  const socket = connect({ port, host, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Every answer of a route has the same number of bytes; the first shows it, and that it is not a refusal. */
async function answerLength(socket: Socket | undefined, request: Buffer): Promise<number> {
  if (socket === undefined) throw new Error('no connection');
  socket.write(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString().startsWith('HTTP/1.1 200')) throw new Error(answer.toString());
  return answer.length;
}

/** Keeps `PIPELINED` requests under way for a round; answers the number of answers. */
function load(socket: Socket, request: Buffer, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = performance.now() + ROUND;
    let bytes = 0;
    let sent = PIPELINED;
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      const answered = Math.floor(bytes / length);
      if (performance.now() >= end) {
        if (answered === sent) resolve(answered);
        return;
      }
      const free = PIPELINED - (sent - answered);
      if (free === 0) return;
      sent += free;
      socket.write(Buffer.concat(Array.from({ length: free }, () => request)));
    });
    socket.write(Buffer.concat(Array.from({ length: PIPELINED }, () => request)));
  });
}
