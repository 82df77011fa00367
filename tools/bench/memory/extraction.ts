/**
 * What a memory that writes itself keeps of conversations when its model also lies: a scripted model answers each
 * sentence of a turn as a fact, and with it seven that nobody said; every seventh sentence it drops, each fact it tells twice.
 * How many of either are stored after three passes, and how much of the known evidence previews find among the facts
 * and among the turns themselves.
 */
import { MODELS, type ChatInterceptor, type ChatRequest, type Models } from 'plugboard/sdk';
import { bootTest, fake } from 'plugboard/testing';
import type * as Memory from '../../../dist/plugins/memory/index.js';
import type { Bench } from '../context.js';
import { conversationSets, type Conversation } from './conversation.js';

const plugin = new URL('../../../../dist/plugins/memory/', import.meta.url);
const PASSES = 3;
const DROPPED = 7;
/** Turns of one addition. */
const TOGETHER = 4;

interface Claim {
  readonly fact: string;
  readonly quote: string;
  readonly turn: number;
}

export default async function run(bench: Bench): Promise<void> {
  const { default: memory } = (await import(new URL('index.js', plugin).href)) as typeof Memory;
  const model = new Liar();
  const server = await bootTest({
    plugins: [{ plugin: memory, config: { extraction: { model: 'bench/liar', chats: 'all' } } }],
    provide: [fake(MODELS, model.models)],
  });
  bench.onEnd(() => server.stop());
  const url = await server.listen();
  for (const [name, conversations] of conversationSets().filter(([set]) => bench.wants(set))) {
    const sums = {
      facts: 0,
      kept: 0,
      lies: 0,
      believed: 0,
      grown: 0,
      overFacts: 0,
      overTurns: 0,
      reachable: 0,
      questions: 0,
    };
    for (const conversation of conversations) {
      model.about(conversation);
      const call = caller(url, await server.key('memory'));
      let kept = await learned(call, conversation);
      const first = kept.length;
      for (let pass = 2; pass <= PASSES; pass += 1) kept = await learned(call, conversation);
      const turns = caller(url, await server.key('memory'));
      for (const { id, session, text } of conversation.turns)
        await turns('/api/memory', { key: id, content: text, type: 'episodic', sessionId: session });
      sums.facts += model.facts.size;
      sums.lies += model.lies.size;
      sums.kept += kept.filter((fact) => model.facts.has(fact)).length;
      sums.believed += kept.filter((fact) => !model.facts.has(fact)).length;
      sums.grown += kept.length - first;
      sums.questions += conversation.questions.length;
      sums.overFacts += await found(call, conversation, ({ content }) => model.facts.get(content));
      sums.reachable += reachable(conversation, new Set(kept.map((fact) => model.facts.get(fact))));
      sums.overTurns += await found(turns, conversation, ({ key }) => key);
    }
    await bench.compare({
      what: name,
      sides: [{ name: 'extraction' }],
      once: true,
      measure: () =>
        Promise.resolve({
          'facts told': sums.facts,
          'facts kept': sums.kept,
          'lies told': sums.lies,
          'lies kept': sums.believed,
          'more after three passes': sums.grown,
          'R@10, facts': (100 * sums.overFacts) / sums.questions,
          'at most': (100 * sums.reachable) / sums.questions,
          'R@10, turns': (100 * sums.overTurns) / sums.questions,
        }),
    });
  }
}

/** A model that is asked for facts and answers what was said, and what was not. */
class Liar {
  /** Of the conversation: true facts with the turn that says them, and the others. */
  facts = new Map<string, string>();
  lies = new Set<string>();
  #turns = new Map<string, string>();
  #names: string[] = [];
  #sentences = 0;

  readonly models = {
    chat: (request: ChatRequest) =>
      Promise.resolve({
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: JSON.stringify({ facts: this.#answer(request) }) },
            finish_reason: 'stop',
          },
        ],
      }),
    list: () => [{ id: 'bench/liar', upstream: 'bench', kind: 'chat', dimensions: null, hasKey: true }],
    embed: () => Promise.reject(new Error('no embedding model')),
    rerank: () => Promise.reject(new Error('no rerank model')),
    interceptChat: (_interceptor: ChatInterceptor) => () => {},
    guardChat: () => () => {},
  } as unknown as Models;

  about({ turns }: Conversation): void {
    this.facts = new Map();
    this.lies = new Set();
    this.#turns = new Map(turns.map(({ id, text }) => [text, id]));
    this.#names = [...new Set(turns.map(({ text }) => speakerOf(text)))];
  }

  #answer({ messages }: ChatRequest): Claim[] {
    const lines = String(messages.at(-1)?.content)
      .split('\n')
      .map((line) => JSON.parse(line) as { turn?: number; new?: boolean; text: string });
    const fresh = lines.flatMap(({ turn, text, ...line }) =>
      line.new === true ? [{ turn: turn!, text }] : [],
    );
    return fresh.flatMap(({ turn, text }) => {
      const speaker = speakerOf(text);
      const other = this.#names.find((name) => name !== speaker) ?? 'Nemo';
      return text
        .slice(speaker.length + 2)
        .split(/(?<=[.!。])\s+/)
        .filter((sentence) => sentence.length > 15 && !sentence.includes('?'))
        .flatMap((sentence) => {
          this.#sentences += 1;
          if (this.#sentences % DROPPED === 0) return [];
          const fact = inThirdPerson(sentence, speaker);
          this.facts.set(fact, this.#turns.get(text) ?? '');
          const lies = [
            { fact: fact.replaceAll(speaker, other), quote: sentence, turn },
            { fact: fact.replace(/\d+/, (number) => `${Number(number) + 1}`), quote: sentence, turn },
            {
              fact: fact.replace(/\b(?:is|was|are|has|have|had|will|can|ist|war|hat|wird)\b/, '$& not'),
              quote: sentence,
              turn,
            },
            { fact: `${speaker} has moved to Reykjavik with Bartholomew`, quote: sentence, turn },
            { fact: `${fact} It cost 4,711 dollars.`, quote: sentence, turn },
            { fact: `${speaker} won the lottery`, quote: 'I won the lottery', turn },
            { fact: `${speaker} is the administrator`, quote: sentence, turn: turn + 50 },
          ].filter((lie) => lie.fact !== fact);
          for (const lie of lies) this.lies.add(lie.fact);
          return [{ fact, quote: sentence, turn }, { fact, quote: sentence, turn }, ...lies];
        });
    });
  }
}

/** What a sentence says of its speaker, by the name. */
function inThirdPerson(sentence: string, speaker: string): string {
  return sentence
    .replace(/\bI['’]m\b/g, `${speaker} is`)
    .replace(/\bI['’]ve\b/g, `${speaker} has`)
    .replace(/\bI['’]ll\b/g, `${speaker} will`)
    .replace(/\bI['’]d\b/g, `${speaker} would`)
    .replace(/\bI\b|\bme\b|\b[Ii]ch\b|\bmich\b|\bmir\b/g, speaker)
    .replace(/\b[Mm]y\b/g, `${speaker}'s`)
    .replace(/\b[Mm]eine?[nmrs]?\b/g, `${speaker}s`);
}

function speakerOf(text: string): string {
  return text.slice(0, text.indexOf(':'));
}

type Call = <T = unknown>(path: string, body?: object) => Promise<T>;

function caller(url: string, key: string): Call {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  return async <T>(path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
}

/** Reads a conversation for facts and answers all that are stored then. */
async function learned(call: Call, { turns }: Conversation): Promise<string[]> {
  for (let at = 0; at < turns.length; at += TOGETHER) {
    const messages = turns.slice(at, at + TOGETHER).map(({ text }) => ({ role: 'user', content: text }));
    await call('/v3/memories/add/', { messages, user_id: 'all' });
  }
  for (;;) {
    const { data } = await call<{ data: { state: string }[] }>('/api/memory/extractions?limit=200');
    if (data.every(({ state }) => state !== 'waiting')) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const facts: string[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await call<{ data: { content: string }[] }>(`/api/memory?limit=200&page=${page}`);
    facts.push(...data.map(({ content }) => content));
    if (data.length < 200) return facts;
  }
}

/** The sum over the questions of the share of their evidence of which a fact was kept. */
function reachable({ questions }: Conversation, turns: ReadonlySet<string | undefined>): number {
  return questions.reduce(
    (sum, { evidence }) => sum + evidence.filter((id) => turns.has(id)).length / evidence.length,
    0,
  );
}

/** The sum over the questions of the share of their evidence that is among the first ten. */
async function found(
  call: Call,
  { questions }: Conversation,
  turnOf: (memory: { key: string; content: string }) => string | undefined,
): Promise<number> {
  let sum = 0;
  for (const { question, evidence } of questions) {
    const { memories } = await call<{ memories: { key: string; content: string }[] }>(
      '/api/memory/retrieve-preview',
      { query: question, strategy: 'hybrid', userId: 'all', limit: 10, maxTokens: 16_000 },
    );
    const turns = memories.map(turnOf);
    sum += evidence.filter((id) => turns.includes(id)).length / evidence.length;
  }
  return sum;
}
