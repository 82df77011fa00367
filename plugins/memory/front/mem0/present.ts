/** An entry in the shape of mem0's API, and its history. */
import type { EntryDocument } from '../../engine/entries/document.js';
import { unpackMetadata } from '../../engine/entries/metadata.js';
import { entityId } from './entities.js';
import type { Mem0Event, Mem0Memory } from './schema.js';

const DAY_MS = 86_400_000;

type Shown = Omit<EntryDocument, 'vector'>;

export function presentMemory(entry: Shown): Mem0Memory {
  const { agent_id, app_id, ...metadata } = unpackMetadata(entry.metadata);
  return {
    id: entry._id,
    memory: entry.content,
    user_id: entityId(entry, 'user_id'),
    agent_id: typeof agent_id === 'string' ? agent_id : null,
    app_id: typeof app_id === 'string' ? app_id : null,
    run_id: entityId(entry, 'run_id'),
    metadata,
    categories: [],
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
    expiration_date: entry.expiresAt === null ? null : lastDayOf(entry.expiresAt),
  };
}

/** mem0's dates are days: a memory lasts until the end of the day, UTC. */
export function lastDayOf(expiresAt: Date): string {
  return new Date(expiresAt.getTime() - 1).toISOString().slice(0, 10);
}

/** The midnight after a day, as ISO 8601; undefined if it is not a day. */
export function endOfDay(day: string): string | undefined {
  const start = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(day) ? Date.parse(day.slice(0, 10)) : NaN;
  return Number.isNaN(start) ? undefined : new Date(start + DAY_MS).toISOString();
}

/** The texts of an entry, oldest first; the last is the current one. */
export function presentHistory(memoryId: string, states: readonly Shown[]): Mem0Event[] {
  return states.map((state, at) => {
    const before = states[at - 1];
    return {
      id: state._id,
      memory_id: memoryId,
      input: [],
      old_memory: before?.content ?? null,
      new_memory: state.content,
      event: before === undefined ? 'ADD' : 'UPDATE',
      user_id: entityId(state, 'user_id'),
      metadata: presentMemory(state).metadata,
      created_at: (states[0] ?? state).createdAt.toISOString(),
      updated_at: state.updatedAt.toISOString(),
    };
  });
}
