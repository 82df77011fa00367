/** An upstream as the server lists it, and as a person describes it. */
import type { ObjectSchema } from 'plugboard/console';

export const PATH = '/api/upstreams';

export interface Upstream {
  readonly name: string;
  readonly baseUrl: string;
  readonly source: 'config' | 'api';
  readonly dialect: string;
  readonly circuit: 'closed' | 'open' | 'half-open';
  readonly failuresInARow: number;
  readonly retryAt: string | null;
  readonly keys: readonly {
    readonly restsUntil: string | null;
    readonly models: readonly {
      readonly model: string;
      readonly circuit: string;
      readonly failuresInARow: number;
      readonly lastFailure: string | null;
      readonly retryAt: string | null;
    }[];
  }[];
  readonly inFlight: number;
  readonly calls: number;
  readonly failures: number;
  readonly latency: number | null;
  readonly firstToken: number | null;
}

/** What came of one question to it. */
export interface Trial {
  readonly fault: string | null;
  readonly refusedKeys: readonly number[];
  readonly answer: {
    readonly streams: boolean;
    readonly tools: 'called' | 'not called' | 'refused';
    readonly said: string;
    readonly tokens: { readonly tokensIn: number | null; readonly tokensOut: number | null };
    readonly total: number;
    readonly cost: number | null;
  } | null;
}

/** The most common settings: all of them can be given by API. */
export const NEW: ObjectSchema = {
  properties: {
    name: { type: 'string', maxLength: 100 },
    dialect: { enum: ['openai', 'anthropic', 'gemini', 'azure'], default: 'openai' },
    baseUrl: { type: 'string' },
    apiKey: { type: 'string' },
    models: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'dialect'],
};

export const KEY: ObjectSchema = { properties: { apiKey: { type: 'string' } }, required: ['apiKey'] };
