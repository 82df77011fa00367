/** Puts a caller's memories into their chats. */
import { ownerOf, type Auth, type ChatInterceptor, type ChatRequest, type Logger } from 'plugboard/sdk';
import type { Entries } from '../../engine/entries/entries.js';
import { withinBudget } from '../../engine/ranking/budget.js';
import type { Retrieval } from '../../engine/retrieval/retrieval.js';
import type { StoredSettings } from '../../engine/settings/stored-settings.js';
import { lastUserText, withMemories } from './placement.js';

/** Request header that turns memories off. */
export const OPT_OUT = 'x-plugboard-no-memory';
/** Request header with the end user of a key's chat; the request's `user` is an alternative. */
export const END_USER = 'x-plugboard-user';
/** The scope that gives an API key memories. */
export const SCOPE = 'memory';

export interface RecallParts {
  readonly auth: Pick<Auth, 'allows'>;
  readonly settings: Pick<StoredSettings, 'of'>;
  readonly retrieval: Pick<Retrieval, 'retrieve'>;
  readonly entries: Pick<Entries, 'newest'>;
  /** Whether the index is complete; a chat does not wait for it. */
  readonly isReady: () => boolean;
  /** Maximum entries per request. */
  readonly limit: number;
  readonly minSimilarity: number;
  /** Milliseconds that a chat waits for its memories. */
  readonly timeout: number;
  readonly log: Pick<Logger, 'warn'>;
}

type Call = Parameters<ChatInterceptor>[1];

/** Share of a chat's waiting time for models and the external store; after it only words are searched. */
const MODELS_SHARE = 0.75;

/** A chat continues without memories if they fail or are late: the reason is logged. */
export function recall(parts: RecallParts): ChatInterceptor {
  return async (request, call) => {
    if (!mayRecall(parts.auth, call)) return request;
    try {
      return await within(parts.timeout, remember(parts, request, call));
    } catch (error) {
      parts.log.warn({ err: error }, 'a chat was sent without memories');
      return request;
    }
  };
}

export function mayRecall(auth: RecallParts['auth'], { caller, headers }: Call): boolean {
  const optOut = headers[OPT_OUT];
  if (optOut !== undefined && isYes(optOut)) return false;
  return (caller.kind === 'key' || caller.kind === 'person') && auth.allows(caller, SCOPE);
}

/** Any header value except a no. */
export function isYes(value: string | string[]): boolean {
  return !/^(0|false|no)$/i.test(String(value));
}

async function remember(parts: RecallParts, request: ChatRequest, call: Call): Promise<ChatRequest> {
  const settings = await parts.settings.of(call);
  if (!settings.enabled || settings.maxTokens === 0) return request;
  const { caller, headers, signal } = call;
  const owner = ownerOf(caller);
  const { limit, minSimilarity } = parts;
  const user = caller.kind === 'person' ? caller.id : endUserOf(request, headers);
  const { maxTokens, strategy } = settings;
  if (strategy === 'recent') {
    const newest = await parts.entries.newest(owner, user, limit);
    return withMemories(request, withinBudget(newest, maxTokens).kept);
  }
  const query = lastUserText(request);
  if (query === undefined || !parts.isReady()) return request;
  const deadline = AbortSignal.timeout(parts.timeout * MODELS_SHARE);
  const question = {
    query,
    strategy,
    owner,
    user,
    limit,
    maxTokens,
    minSimilarity,
    common: false,
    caller,
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  };
  const found = await parts.retrieval.retrieve(question, settings);
  return withMemories(request, found.memories);
}

/** Rejects if `work` takes longer than `milliseconds`: an unavailable storage may block it for half a minute. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = `the memories were not there after ${milliseconds} ms (recallTimeout)`;
    const timer = setTimeout(() => reject(new Error(late)), milliseconds);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Null: no end user is named, so only shared memories are found. */
export function endUserOf(request: ChatRequest, headers: Call['headers']): string | null {
  const named = headers[END_USER] ?? request['user'];
  return typeof named === 'string' && named.trim() !== '' ? named.trim() : null;
}
