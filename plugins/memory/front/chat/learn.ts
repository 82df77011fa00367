/** Queues chats for fact extraction: the user's newest turn and the answer before it. */
import { ownerOf, type Auth, type ChatInterceptor, type ChatRequest, type Logger } from 'plugboard/sdk';
import type { Extraction } from '../../engine/extraction/extraction.js';
import { CONTEXT, turnsOf, type Speaker, type Turn } from '../../engine/extraction/turns.js';
import type { StoredSettings } from '../../engine/settings/stored-settings.js';
import { textOf, withoutFence } from './placement.js';
import { endUserOf, isYes, mayRecall } from './recall.js';

/** Request header: the chat is read for facts (`1`), or not (`0`). */
export const EXTRACT = 'x-plugboard-extract';
/** Turns per message: only the beginning of a longer one is read. */
const MOST_PIECES = 2;
/** Chats being queued at a time: bounded, because they pile up while the storage is unavailable. */
const MOST_UNDER_WAY = 100;

export interface LearnParts {
  readonly auth: Pick<Auth, 'allows'>;
  readonly settings: Pick<StoredSettings, 'of'>;
  readonly extraction: Pick<Extraction, 'ask'>;
  /** For chats without the header. */
  readonly chats: 'all' | 'asked';
  readonly log: Pick<Logger, 'warn'>;
}

type Call = Parameters<ChatInterceptor>[1];

/** The chat does not wait for it, and continues if it fails: the error is logged. */
export function learn(parts: LearnParts): ChatInterceptor {
  let underWay = 0;
  return async (request, call) => {
    const asked = call.headers[EXTRACT];
    const isWanted = asked === undefined ? parts.chats === 'all' : isYes(asked);
    if (!isWanted || underWay >= MOST_UNDER_WAY || !mayRecall(parts.auth, call)) return request;
    underWay += 1;
    void mark(parts, request, call)
      .catch((error: unknown) => parts.log.warn({ err: error }, 'a chat is not read for facts'))
      .finally(() => (underWay -= 1));
    return request;
  };
}

async function mark({ settings, extraction }: LearnParts, request: ChatRequest, call: Call): Promise<void> {
  const { enabled } = await settings.of(call);
  const spoken = newestTurns(request);
  if (!enabled || spoken === undefined) return;
  const { caller, headers } = call;
  const userId = caller.kind === 'person' ? caller.id : endUserOf(request, headers);
  await extraction.ask({ ...spoken, apiKeyId: ownerOf(caller), userId, sessionId: null });
}

/** Undefined: there is no user text. */
function newestTurns({ messages }: ChatRequest): { turns: Turn[]; from: number } | undefined {
  const said = messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'assistant' ? [{ role: role as Speaker, content }] : [],
  );
  const last = said.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return undefined;
  const first = said[last - 1]?.role === 'assistant' ? last - 1 : last;
  const turnsIn = (from: number, to: number): Turn[] =>
    said
      .slice(Math.max(0, from), to)
      .flatMap(({ role, content }) => turnsOf(role, withoutFence(textOf(content))).slice(0, MOST_PIECES));
  const before = turnsIn(first - CONTEXT, first);
  const turns = [...before, ...turnsIn(first, last + 1)];
  return turns.length > before.length ? { turns, from: before.length } : undefined;
}
