/** Turns of a conversation, as used by fact extraction. */
import { createHash } from 'node:crypto';

export type Speaker = 'user' | 'assistant';

export interface Turn {
  readonly role: Speaker;
  readonly text: string;
}

/** A part of a conversation that fits one model call. */
export interface Passage {
  readonly turns: readonly Turn[];
  /** The first turn to read; earlier ones are context. */
  readonly from: number;
}

/** Characters per turn; a longer text becomes several turns. */
export const LONGEST_TURN = 4_000;
/** Turns and characters per model call. */
const MOST_TURNS = 8;
const MOST_CHARACTERS = 12_000;
/** Turns of context before them. */
export const CONTEXT = 2;

/** Splits a text into turns of at most `LONGEST_TURN` characters, without control characters. */
export function turnsOf(role: Speaker, text: string): Turn[] {
  const clean = text.replace(/[^\P{Cc}\n\t]/gu, ' ').trim();
  const turns: Turn[] = [];
  for (let at = 0; at < clean.length;) {
    const piece = beginningOf(clean.slice(at), LONGEST_TURN);
    turns.push({ role, text: piece });
    at += piece.length;
  }
  return turns;
}

/** Does not split a surrogate pair. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Identifies a turn together with the one before it: "yes" to another question is another turn. */
export function markOf(turns: readonly Turn[], at: number): string {
  const { role, text } = turns[at]!;
  const said = JSON.stringify([turns[at - 1]?.text ?? null, role, text]);
  return createHash('sha256').update(said).digest('base64url').slice(0, 24);
}

/** Splits the turns from `from` on into passages. */
export function passagesOf(turns: readonly Turn[], from: number): Passage[] {
  const passages: Passage[] = [];
  for (let at = from; at < turns.length;) {
    let end = at;
    for (let characters = 0; end < turns.length && end - at < MOST_TURNS; end += 1) {
      characters += turns[end]!.text.length;
      if (end > at && characters > MOST_CHARACTERS) break;
    }
    const start = Math.max(0, at - CONTEXT);
    passages.push({ turns: turns.slice(start, end), from: at - start });
    at = end;
  }
  return passages;
}
