/** What an addition stores: its texts, and their common fields. */
import type { Conversation } from '../../engine/extraction/extraction.js';
import { LONGEST_TURN, turnsOf } from '../../engine/extraction/turns.js';
import type { NewEntry } from '../../engine/entries/entry.js';
import { ENTITY_FIELDS, type EntityIds } from './entities.js';
import { invalid } from './invalid.js';
import { instantOf } from './operators.js';
import { endOfDay } from './present.js';
import type { AddBody, ChangeBody, Message } from './schema.js';

/** A text with its speaker. */
export interface Said {
  readonly role: string;
  readonly text: string;
}

const LONGEST = 100_000;

/** System messages are instructions, not memories. */
export function saidIn(messages: AddBody['messages']): Said[] {
  const all = typeof messages === 'string' ? [{ role: 'user', content: messages }] : [messages].flat();
  const said = all
    .map(({ role = 'user', content }) => ({ role, text: textOf(content).trim() }))
    .filter(({ role, text }) => role !== 'system' && text !== '');
  if (said.some(({ text }) => text.length > LONGEST))
    throw invalid(`a message may have ${LONGEST} characters`);
  return said;
}

function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as unknown[]) : [content];
  return parts
    .map((part) => (part ?? {}) as { type?: unknown; text?: unknown })
    .map(({ type = 'text', text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .filter(Boolean)
    .join('\n');
}

/** The Python client's options send the ids among the filters. */
export function idsOf(body: AddBody): EntityIds {
  const filters = (body.filters ?? {}) as Record<string, unknown>;
  const ids = Object.values(ENTITY_FIELDS).flatMap((field) => {
    const id = body[field] ?? filters[field];
    if (id === undefined || id === null) return [];
    if (typeof id !== 'string' || id.trim() === '' || id.length > 256)
      throw invalid(`${field} must be a text of at most 256 characters`);
    return [[field, id] as const];
  });
  return Object.fromEntries(ids);
}

/** Fields of an entry from an addition, without text and key. */
export function fieldsOf(body: AddBody, { user_id = null, run_id = null, ...others }: EntityIds) {
  const { validFrom, expiresAt = null } = timesOf(body);
  return {
    type: run_id === null ? ('factual' as const) : ('episodic' as const),
    userId: user_id,
    sessionId: run_id,
    metadata: { ...body.metadata, ...others },
    expiresAt,
    ...(validFrom !== undefined && { validFrom }),
  };
}

/** Turns per extraction. */
const MOST_TURNS = 200;

/** The messages, all to be read for facts. */
export function conversationOf(body: AddBody, apiKeyId: string, ids: EntityIds): Conversation {
  const { userId, sessionId, metadata, expiresAt, validFrom } = fieldsOf(body, ids);
  const turns = saidIn(body.messages).flatMap(({ role, text }) =>
    turnsOf(role === 'assistant' ? 'assistant' : 'user', text),
  );
  if (turns.length > MOST_TURNS)
    throw invalid(`messages to infer from may be ${MOST_TURNS}, of ${LONGEST_TURN} characters each`);
  return {
    apiKeyId,
    userId,
    sessionId,
    metadata,
    turns,
    from: 0,
    ...(validFrom !== undefined && { validFrom: new Date(validFrom) }),
    ...(expiresAt !== null && { factsExpireAt: new Date(expiresAt) }),
  };
}

/** `null` clears an expiry. */
export function timesOf({
  timestamp,
  expiration_date: day,
}: Pick<ChangeBody, 'timestamp' | 'expiration_date'>): Pick<NewEntry, 'validFrom' | 'expiresAt'> {
  const since = instantOf(timestamp ?? null, 'timestamp');
  const expiresAt = typeof day === 'string' ? endOfDay(day) : day;
  if (typeof day === 'string' && expiresAt === undefined)
    throw invalid('expiration_date must be a day, such as 2030-12-31');
  return {
    ...(since !== null && { validFrom: new Date(since).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
