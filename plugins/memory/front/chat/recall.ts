/** Puts what is remembered of a caller into the chats that the caller sends. */
import { ownerOf, type Auth, type ChatInterceptor, type ChatRequest, type Logger } from 'plugboard/sdk';
import type { Entries } from '../../engine/entries/entries.js';
import { withinBudget } from '../../engine/ranking/budget.js';
import type { Retrieval } from '../../engine/retrieval/retrieval.js';
import type { StoredSettings } from '../../engine/settings/stored-settings.js';
import { lastUserText, withMemories } from './placement.js';

/** A caller sends this header to keep a request free of memories. */
export const OPT_OUT = 'x-plugboard-no-memory';
/** The end user on whose behalf a key chats; the request's `user` says it too. */
export const END_USER = 'x-plugboard-user';
/** An API key holds this scope to have memories. */
export const SCOPE = 'memory';

export interface RecallParts {
  readonly auth: Pick<Auth, 'allows'>;
  readonly settings: Pick<StoredSettings, 'of'>;
  readonly retrieval: Pick<Retrieval, 'retrieve'>;
  readonly entries: Pick<Entries, 'newest'>;
  /** Whether the index holds every entry yet; a chat does not wait for it. */
  readonly isReady: () => boolean;
  /** Entries in one request at most. */
  readonly limit: number;
  readonly minSimilarity: number;
  /** Milliseconds that a chat waits for its memories. */
  readonly timeout: number;
  readonly log: Pick<Logger, 'warn'>;
}

type Call = Parameters<ChatInterceptor>[1];

/** Of the time that a chat waits, the share that models and the external store may take: then the words alone are asked. */
const MODELS_SHARE = 0.75;

/** A chat goes on without memories when they cannot be had, or not in time: the log says why. */
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

/** Of a header: anything but a no. */
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

/** Rejects when `work` takes longer than so many milliseconds: a storage that is away may keep it for half a minute. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = `the memories were not there after ${milliseconds} ms (recallTimeout)`;
    const timer = setTimeout(() => reject(new Error(late)), milliseconds);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Null: nobody is named, and what belongs to an end user stays theirs. */
export function endUserOf(request: ChatRequest, headers: Call['headers']): string | null {
  const named = headers[END_USER] ?? request['user'];
  return typeof named === 'string' && named.trim() !== '' ? named.trim() : null;
}
