/** One question to one model of an upstream, to see what works: it is streamed, and offers a tool. */
import type { Prices } from '../money/prices.js';
import { RequestBody } from '../call/request-body.js';
import { ChatStream } from '../call/chat-stream.js';
import { parseChunk } from '../call/chat-chunk.js';
import { attemptFailure, send, type Limits } from '../call/exchange.js';
import { AttemptFailure, blamesKey } from '../call/failure.js';
import type { Attempt } from '../call/failover.js';
import { SseParser } from '../call/sse.js';
import { Watchdog } from '../call/watchdog.js';
import type { Target } from '../catalog.js';
import { codecFor, sentTo } from '../conversations.js';
import { Conversation } from '../dialects/conversation.js';
import type { TokenUsage } from '../usage/tokens.js';
import { faultOf } from './faults.js';

/** What came of it. `fault` is for a person; without one the rest is there. */
export interface Trial {
  readonly upstream: string;
  readonly model: string;
  readonly dialect: string;
  readonly baseUrl: string;
  readonly fault: string | null;
  /** Keys that were turned away before one was taken, by their place from 1. */
  readonly refusedKeys: readonly number[];
  readonly answer: Answered | null;
}

export interface Answered {
  /** Events came, and not one JSON. */
  readonly streams: boolean;
  /** `refused`: the model answers only where no tool is offered. */
  readonly tools: 'called' | 'not called' | 'refused';
  /** What the model said, or which tool it called. */
  readonly said: string;
  readonly servedModel: string | null;
  readonly tokens: TokenUsage;
  /** Milliseconds. */
  readonly first: number;
  readonly total: number;
  /** US dollars; null where no price is known, or the upstream counts no tokens. */
  readonly cost: number | null;
  readonly pricedAs: string | null;
}

/** Milliseconds. */
const PATIENCE = 120_000;
const SAID = 300;

const TOOL = {
  type: 'function',
  function: {
    name: 'add',
    description: 'Adds two numbers.',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
};
const QUESTION = 'What is 17 + 25? Use the tool if you have it.';

/** Its calls count neither in usage nor in the upstream's health. Never throws for what an upstream does. */
export async function tryTarget(
  { upstream, model }: Pick<Target, 'upstream' | 'model'>,
  { prices, limits, gone }: { readonly prices: Prices; readonly limits: Limits; readonly gone?: AbortSignal },
): Promise<Trial> {
  await prices.load();
  const { name, baseUrl, kind } = upstream;
  const about = { upstream: name, model, dialect: kind.wire, baseUrl };
  const refusedKeys: number[] = [];
  let failure = new AttemptFailure('skipped', 'no_api_key');
  for (const [at, key] of upstream.keys.all.entries()) {
    const watchdog = new Watchdog(PATIENCE, gone);
    const target = { upstream, model, weight: 1, load: upstream.load };
    const attempt: Attempt = { target, key, fallbackOn: new Set(), watchdog };
    try {
      const answer = await askWithTool(attempt, limits, prices);
      return { ...about, fault: null, refusedKeys, answer };
    } catch (error) {
      failure = attemptFailure(error);
      if (!blamesKey(failure)) break;
      refusedKeys.push(at + 1);
    } finally {
      watchdog.stop();
    }
  }
  return { ...about, fault: await faultOf(failure, upstream, model), refusedKeys, answer: null };
}

/** Models without tools refuse a request that offers one. */
async function askWithTool(attempt: Attempt, limits: Limits, prices: Prices): Promise<Answered> {
  try {
    return await ask(attempt, { tools: [TOOL] }, limits, prices);
  } catch (error) {
    const { kind, code } = attemptFailure(error);
    if (code !== 'http_400' && code !== 'http_422' && kind !== 'unfit') throw error;
    return { ...(await ask(attempt, {}, limits, prices)), tools: 'refused' };
  }
}

async function ask(attempt: Attempt, more: object, limits: Limits, prices: Prices): Promise<Answered> {
  const { target, key, watchdog, fallbackOn } = attempt;
  const { upstream, model } = target;
  const body = { model, stream: true, messages: [{ role: 'user', content: QUESTION }], ...more };
  const talk = new Conversation({ client: 'chat', model, stream: true, body: new RequestBody(body) });
  const began = performance.now();
  const sent = sentTo(attempt, talk, { headers: {} });
  const answer = await send(upstream, key, sent, watchdog, limits);
  const streams = answer.headers['content-type']?.startsWith('text/event-stream') === true;
  const events = await ChatStream.open(answer, watchdog, limits, codecFor(attempt, talk, fallbackOn));
  const first = Math.round(performance.now() - began);
  let ended: { tokens: TokenUsage; model: string | null; failure: AttemptFailure | null } | undefined;
  events.follow({ describe: () => '', ended: (end) => void (ended = end) });
  const { said, called } = await read(events);
  if (ended === undefined) throw new AttemptFailure('failed', 'stream_broken_off');
  if (ended.failure !== null) throw ended.failure;
  const { tokens, model: servedModel } = ended;
  const price = prices.of(upstream, model, servedModel);
  const { tokensIn: input, tokensOut: output, tokensCached, tokensCacheWritten } = tokens;
  const counted = { cached: tokensCached ?? 0, cacheWritten: tokensCacheWritten ?? 0 };
  return {
    streams,
    tools: called ? 'called' : 'not called',
    said: said.slice(0, SAID),
    servedModel,
    tokens,
    first,
    total: Math.round(performance.now() - began),
    cost:
      price === undefined || input === null || output === null
        ? null
        : price.cost({ input, output, ...counted }),
    pricedAs: price?.id ?? null,
  };
}

async function read(events: ChatStream): Promise<{ said: string; called: boolean }> {
  const parser = new SseParser(1_000_000);
  let [said, called] = ['', false];
  for await (const piece of events)
    for (const { data } of parser.push(String(piece))) {
      if (data === undefined || data === '[DONE]') continue;
      for (const choice of parseChunk(data).choices) {
        const { content, tool_calls: calls } = choice?.delta ?? {};
        if (typeof content === 'string') said += content;
        if (!Array.isArray(calls)) continue;
        called = true;
        for (const { function: made } of calls as { function?: { name?: string; arguments?: string } }[])
          said += `${made?.name ?? ''}${made?.arguments ?? ''}`;
      }
    }
  return { said, called };
}
