/** Sends the corpus to a server in a process of its own, while a probe asks whether it is alive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { StoreConfig } from '../support/stores.js';
import type { HostileCase } from './case.js';
import type { CorpusCase } from './corpus.js';
import { Credentials } from './credentials.js';
import { Probe } from './probe.js';
import { ANSWER_WITHIN, send, type Answered, type Target } from './send.js';
import { AttackedServer, type Memory } from './server.js';
import { Yardstick } from './yardstick.js';

export type { Memory } from './server.js';

/** Until the server has compiled its large schemas. */
const WARMS_UP = 4_000;

export interface Outcome extends Answered {
  readonly group: string;
  readonly name: string;
  readonly request: string;
  /** Milliseconds of the request itself. */
  readonly took: number;
  /** Milliseconds of the longest probe that overlapped it, or what is judged by, see `attackOneByOne`. */
  readonly wait: number;
}

/** One that was sent alone. */
export interface Judged extends Outcome {
  /** Its wait, as many times as long as the yardstick of those minutes. */
  readonly times: number;
}

export interface Attack {
  readonly outcomes: readonly Outcome[];
  /** When warm, and after each pass. */
  readonly memory: readonly Memory[];
  /** Whether the server ended when it was asked to. */
  readonly exitCode: number | null;
  /** What the server printed. */
  readonly output: string;
}

/**
 * Every file of the corpus in its order, concurrently with the others; clients that only wait, concurrently by kind.
 * What a single request costs others does not show.
 */
export async function attack(corpus: readonly CorpusCase[], storage: StoreConfig): Promise<Attack> {
  return attacked(corpus, storage, ANSWER_WITHIN * 4, async ({ one, memory, probe }) => {
    const warm = await memory();
    const laneOf = ({ group, client }: CorpusCase): string => client ?? group;
    const lanes = await Promise.all(
      Array.from(new Set(corpus.map(laneOf)), async (lane) => {
        const outcomes: Outcome[] = [];
        for (const each of corpus) if (laneOf(each) === lane) outcomes.push(await one(each));
        return outcomes;
      }),
    );
    await probe.turn();
    return { outcomes: lanes.flat(), memory: [warm, await memory()] };
  });
}

interface OneByOne {
  readonly passes: number;
  readonly ratio: number;
  /** Called with each as soon as it is judged. */
  onJudged?(outcome: Judged): void;
}

/** How often a request is sent that made the probe wait for long. */
const JUDGED_BY = 5;
/** Requests between two looks at the yardstick, and looks at it before one is sent again. */
const MEASURED_EVERY = 20;
const MEASURED_BEFORE = 3;

/**
 * One by one, `passes` times; the outcomes are those of the first time. A request that makes the probe wait for longer
 * than `ratio` times the yardstick is sent again, and the median counts: a machine with other work makes probes wait,
 * too, but not each time.
 */
export async function attackOneByOne(
  corpus: readonly CorpusCase[],
  storage: StoreConfig,
  { passes, ratio, onJudged }: OneByOne,
): Promise<Omit<Attack, 'outcomes'> & { readonly outcomes: readonly Judged[]; readonly yardstick: number }> {
  const yardstick = new Yardstick();
  const judged: Judged[] = [];
  const attack = await attacked(corpus, storage, ANSWER_WITHIN, async ({ one, memory, probe }) => {
    const alone = async (each: CorpusCase): Promise<Judged> => {
      await probe.turn();
      probe.reset();
      const outcome = await one(each);
      await probe.turn();
      return { ...outcome, wait: probe.longest, times: probe.longest / yardstick.value };
    };
    const judge = async (each: CorpusCase): Promise<Judged> => {
      const tries = [await alone(each)];
      if (tries[0]!.times > ratio)
        while (tries.length < JUDGED_BY) {
          for (let at = 0; at < MEASURED_BEFORE; at += 1) yardstick.measure();
          tries.push(await alone(each));
        }
      const { wait, times } = tries.toSorted((a, b) => a.times - b.times)[tries.length >> 1]!;
      return { ...tries[0]!, wait, times };
    };
    const memories = [await memory()];
    for (let pass = 0; pass < passes; pass += 1) {
      for (const [at, each] of corpus.entries()) {
        if (at % MEASURED_EVERY === 0) yardstick.measure();
        if (pass > 0) {
          await one(each);
          continue;
        }
        const outcome = await judge(each);
        judged.push(outcome);
        onJudged?.(outcome);
      }
      memories.push(await memory());
    }
    return { outcomes: judged, memory: memories };
  });
  return { ...attack, outcomes: judged, yardstick: yardstick.value };
}

interface Weapons {
  one(each: CorpusCase): Promise<Outcome>;
  memory(): Promise<Memory>;
  readonly probe: Probe;
}

async function attacked(
  corpus: readonly CorpusCase[],
  storage: StoreConfig,
  within: number,
  fight: (weapons: Weapons) => Promise<Pick<Attack, 'outcomes' | 'memory'>>,
): Promise<Attack> {
  await using victim = await AttackedServer.start(storage);
  const { server } = victim;
  const dispatcher = new Agent({ connect: { timeout: within }, bodyTimeout: 0, headersTimeout: 0 });
  const target: Target = { url: server.url, dispatcher, within };
  const credentials = new Credentials(server.url);
  for (const each of corpus) await credentials.of(each);
  const sendOnce = async (each: CorpusCase, bodies = bodiesOf(each)): Promise<Answered> => {
    const credential = await credentials.of(each);
    const answers = await Promise.all(bodies.map((body) => send(each, body, credential, target)));
    return answers.toSorted((a, b) => worse(b.status) - worse(a.status))[0]!;
  };
  for (const each of corpus.slice(0, 20)) await sendOnce(each);
  await sleep(WARMS_UP);
  await using probe = new Probe(server.url);
  const one = async (each: CorpusCase): Promise<Outcome> => {
    for (const first of each.before ?? []) await sendOnce(alike(each, first));
    const bodies = bodiesOf(each);
    const began = performance.now();
    const answer = await sendOnce(each, bodies);
    return {
      group: each.group,
      name: each.name,
      request: each.raw === undefined ? `${each.method ?? 'GET'} ${each.path}`.slice(0, 100) : 'raw bytes',
      ...answer,
      took: performance.now() - began,
      wait: probe.longest,
    };
  };
  const found = await fight({ one, memory: () => victim.memory(), probe });
  await dispatcher.destroy();
  const exitCode = await server.end('SIGTERM');
  return { ...found, exitCode, output: server.output };
}

/** By the same credential. */
function alike({ group, scope, as }: CorpusCase, first: HostileCase): CorpusCase {
  return { group, ...(scope !== undefined && { scope }), ...(as !== undefined && { as }), ...first };
}

/** One for each time that the case is sent at once. */
function bodiesOf({ body, atOnce = 1 }: CorpusCase): (string | Uint8Array | undefined)[] {
  return Array.from({ length: atOnce }, (_, at) => body?.(at));
}

/** An answer that never came first, then the others by their status. */
function worse(status: number): number {
  return status === -1 ? 1_000 : status;
}
