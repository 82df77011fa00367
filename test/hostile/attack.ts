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
import { median, Yardstick } from './yardstick.js';

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
 * Every file of the corpus in its order, beside the others; clients that only wait, beside each other by their kind.
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
  /** Called with each as soon as it is judged, and the yardstick so far. */
  onOutcome?(outcome: Outcome, yardstick: number): void;
}

/** How often a request is sent that made the probe wait for long. */
const JUDGED_BY = 5;
/** Requests between two looks at the yardstick. */
const MEASURED_EVERY = 20;

/**
 * One by one, `passes` times; the outcomes are those of the first time. A request that makes the probe wait for longer
 * than `ratio` times the yardstick is sent again, and the median counts: a machine with other work makes probes wait,
 * too, but not each time.
 */
export async function attackOneByOne(
  corpus: readonly CorpusCase[],
  storage: StoreConfig,
  { passes, ratio, onOutcome }: OneByOne,
): Promise<Attack & { readonly yardstick: number }> {
  const yardstick = new Yardstick();
  const attack = await attacked(corpus, storage, ANSWER_WITHIN, async ({ one, memory, probe }) => {
    const alone = async (each: CorpusCase): Promise<Outcome> => {
      await probe.turn();
      probe.reset();
      const outcome = await one(each);
      await probe.turn();
      return { ...outcome, wait: probe.longest };
    };
    const memories = [await memory()];
    const outcomes: Outcome[] = [];
    for (let pass = 0; pass < passes; pass += 1) {
      for (const [at, each] of corpus.entries()) {
        if (at % MEASURED_EVERY === 0) yardstick.measure();
        const outcome = await (pass === 0 ? alone(each) : one(each));
        if (pass > 0) continue;
        const waits = [outcome.wait];
        if (outcome.wait > ratio * yardstick.value)
          while (waits.length < JUDGED_BY) {
            yardstick.measure();
            waits.push((await alone(each)).wait);
          }
        const judged = { ...outcome, wait: median(waits) };
        outcomes.push(judged);
        onOutcome?.(judged, yardstick.value);
      }
      memories.push(await memory());
    }
    return { outcomes, memory: memories };
  });
  return { ...attack, yardstick: yardstick.value };
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
