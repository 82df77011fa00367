/** The texts of a request under the config's guards: how much they are, and what patterns make of them. */
import type { ChatRequest } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { HeldText, lookThrough, type Check } from './held-text.js';
import { mapValuesLater } from './values.js';

export interface RequestGuard {
  readonly most: number;
  readonly window: number;
  /** Undefined: only the size is looked at. */
  readonly find: Check | undefined;
}

/** Members that hold no text: names of the API, and bytes. */
const NO_TEXT: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'tool_call_id',
  'call_id',
  'image_url',
  'data',
  'file_data',
  'file_id',
  'format',
  'detail',
  'signature',
]);
/** Of what a client nests. */
const DEEPEST = 100;

export async function guardRequest(request: ChatRequest, guard: RequestGuard): Promise<ChatRequest> {
  const walk = new Walk(guard);
  const messages = (await walk.value(request.messages, 0)) as ChatRequest['messages'];
  const before = request['prediction'];
  const prediction = before === undefined ? undefined : await walk.value(before, 0);
  if (messages === request.messages && prediction === before) return request;
  return { ...request, messages, ...(before !== undefined && { prediction }) };
}

class Walk {
  readonly #guard: RequestGuard;
  #characters = 0;

  constructor(guard: RequestGuard) {
    this.#guard = guard;
  }

  /** The same value where nothing in it was replaced. */
  async value(value: unknown, depth: number, name?: string): Promise<unknown> {
    if (typeof value === 'string') return this.#text(value, name === 'arguments');
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST)
      throw errors.invalid_request({ values: { message: 'the messages are nested too deep' } });
    let isChanged = false;
    const entries: [string, unknown][] = [];
    for (const [member, inner] of Object.entries(value)) {
      const seen = NO_TEXT.has(member) ? inner : await this.value(inner, depth + 1, member);
      isChanged ||= seen !== inner;
      entries.push([member, seen]);
    }
    if (!isChanged) return value;
    return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  }

  async #text(text: string, isJson: boolean): Promise<string> {
    const { most, find } = this.#guard;
    this.#characters += text.length;
    if (this.#characters > most) throw errors.request_too_long({ values: { limit: most } });
    if (find === undefined) return text;
    const look = (value: string): Promise<string> =>
      lookThrough(value, [new HeldText(this.#guard.window, find)]);
    return isJson ? mapValuesLater(text, look) : look(text);
  }
}
