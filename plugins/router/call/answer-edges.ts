/**
 * Reads the beginning and the end of a large JSON answer without parsing it: quotes inside a string are escaped, so
 * `"usage":` is always a member's name.
 */
import { readTokens, type TokenUsage } from '../usage/tokens.js';

/** Bytes read at the end: what follows the long member is short. */
const TAIL = 16_384;

/** A flat object, or one that has flat objects in it. */
const USAGE = /"usage"\s*:\s*(\{(?:[^{}]|\{[^{}]*\})*\})/g;
const MODEL = /"model"\s*:\s*("(?:[^"\\]|\\.)*")/;
const ERROR = /"error"\s*:\s*[^\sn]/;
const END = /\}\s*$/;

const LISTS = {
  choices: /"choices"\s*:\s*\[\s*\{/,
  results: /"results"\s*:\s*\[\s*\{/,
  float: /"embedding"\s*:\s*\[/,
  base64: /"embedding"\s*:\s*"/,
  images: /"(?:b64_json|url)"\s*:\s*"/,
};

/** What a large answer is long of: `float` and `base64` are vectors. */
export type LongMember = keyof typeof LISTS;

export class AnswerEdges {
  readonly #head: string;
  #tail: Buffer = Buffer.alloc(0);

  constructor(head: string) {
    this.#head = head;
  }

  /** Whether an answer that begins like this holds what was asked for. */
  holds(member: LongMember): boolean {
    return LISTS[member].test(this.#head) && !ERROR.test(this.#head);
  }

  see(piece: Buffer): void {
    const last = piece.subarray(-TAIL);
    this.#tail = last.length === TAIL ? last : Buffer.concat([this.#tail, last]).subarray(-TAIL);
  }

  /** False when the last bytes close no object, so that something is missing. */
  get isClosed(): boolean {
    return END.test(this.#tail.toString('utf8', this.#tail.length - 64));
  }

  get tokens(): TokenUsage {
    const text =
      [...this.#tail.toString('utf8').matchAll(USAGE)].at(-1)?.[1] ??
      [...this.#head.matchAll(USAGE)].at(-1)?.[1];
    return readTokens(parsed(text));
  }

  get model(): string | null {
    const model = parsed((MODEL.exec(this.#head) ?? MODEL.exec(this.#tail.toString('utf8')))?.[1]);
    return typeof model === 'string' ? model : null;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
