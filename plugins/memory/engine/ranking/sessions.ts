/** The episodic entries of each session in order, updated as entries come and go. */
import type { Clock } from 'plugboard/sdk';
import type { EntryAttributes } from '../base/attributes.js';
import type { EntryDocument } from '../entries/document.js';
import { REACH, type Conversations, type Neighbour, type Place } from './neighbours.js';
import { turnText } from './turn.js';

interface Turn {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export class Sessions implements Conversations {
  readonly #clock: Clock;
  /** By owner, end user and session; each sorted by creation, then id. */
  readonly #turns = new Map<string, Turn[]>();
  readonly #places = new Map<string, Place & { readonly turn: Turn }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an entry or replaces the one with this id; only live episodic entries with a session are kept. */
  upsert(id: string, attributes: EntryAttributes, text: Pick<EntryDocument, 'content' | 'tokens'>): void {
    this.delete(id);
    const { owner, user, session, type, createdAt, expiresAt, archived } = attributes;
    if (session === null || type !== 'episodic' || archived) return;
    const key = JSON.stringify([owner, user, session]);
    const turn: Turn = { id, createdAt, expiresAt: expiresAt ?? Infinity };
    const turns = this.#turns.get(key) ?? [];
    turns.splice(position(turns, turn), 0, turn);
    this.#turns.set(key, turns);
    this.#places.set(id, { session: key, turn, ...turnText(text) });
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    const turns = this.#turns.get(place.session)!;
    turns.splice(position(turns, place.turn), 1);
    if (turns.length === 0) this.#turns.delete(place.session);
  }

  clear(): void {
    this.#turns.clear();
    this.#places.clear();
  }

  place(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** Entries up to `REACH` positions before and after an entry in its session. Expired ones are skipped. */
  neighbours(id: string): Neighbour[] {
    const place = this.#places.get(id);
    if (place === undefined) return [];
    const turns = this.#turns.get(place.session)!;
    const at = position(turns, place.turn);
    return [...this.#living(turns, at, -1), ...this.#living(turns, at, 1)];
  }

  #living(turns: readonly Turn[], from: number, step: 1 | -1): Neighbour[] {
    const now = this.#clock.now();
    const found: Neighbour[] = [];
    for (let at = from + step; found.length < REACH; at += step) {
      const turn = turns[at];
      if (turn === undefined) break;
      if (turn.expiresAt <= now) continue;
      found.push({ id: turn.id, createdAt: turn.createdAt, distance: step * (found.length + 1) });
    }
    return found;
  }
}

/** The index of a turn, or its insertion point. */
function position(turns: readonly Turn[], turn: Turn): number {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = turns[middle]!;
    const before =
      other.createdAt < turn.createdAt || (other.createdAt === turn.createdAt && other.id < turn.id);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}
