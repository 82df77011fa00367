/** Patterns of the config, found in a text in linear time (RE2). */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import type { Redaction, ServiceError } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { GuardSettings } from './schema.js';

export type Side = 'request' | 'answer';

/** How large a pattern may become when its repetitions are written out: each character costs as much at worst. */
const MOST_INSTRUCTIONS = 5_000;

export class Patterns {
  readonly #patterns: readonly {
    readonly name: string;
    readonly expression: RE2JS;
    /** Undefined: it refuses. */
    readonly replacement: string | undefined;
  }[];
  readonly #side: Side;

  /** Of a config without faults. */
  constructor(patterns: GuardSettings['patterns'], side: Side) {
    this.#side = side;
    this.#patterns = Object.entries(patterns)
      .filter(([, { in: sides }]) => sides.includes(side))
      .map(([name, { pattern, action, replacement = `[${name}]` }]) => ({
        name,
        expression: compiled(pattern),
        replacement: action === 'redact' ? replacement : undefined,
      }));
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** What is to be replaced, from a place on. Throws `guard_refused`. */
  find(text: string, from: number): Redaction[] {
    const found: Redaction[] = [];
    for (const { name, expression, replacement } of this.#patterns) {
      const matcher = expression.matcher(text);
      for (let isFound = matcher.find(from); isFound; isFound = matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end === start) continue;
        if (replacement === undefined) throw refusal(name, this.#side);
        found.push({ start, end, replacement });
      }
    }
    return found;
  }
}

/** Why a pattern is invalid; undefined if it is valid. */
export function patternFault(source: string): string | undefined {
  let expression: RE2JS;
  try {
    expression = compiled(source);
  } catch (error) {
    return `"${source}" is no regular expression of RE2: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
  if (expression.programSize() > MOST_INSTRUCTIONS) return `"${source}" is too large: repeat less`;
  return expression.matcher('').find() ? `"${source}" also matches where there is nothing` : undefined;
}

function refusal(guard: string, side: Side): ServiceError {
  return errors.guard_refused({ values: { guard, side }, extra: { guard, guarded: side } });
}

const require = createRequire(import.meta.url);
let engine: typeof RE2JS | undefined;

function compiled(source: string): RE2JS {
  // Loaded with the first pattern: most configs have none.
  engine ??= (require('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  return engine.compile(source);
}
