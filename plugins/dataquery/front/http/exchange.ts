/** A request as the data API reads it, and its answer; nothing here knows the web framework. */
import type { Preferences } from './preferences.js';
import type { RowStream } from './rows-body.js';

export interface Incoming {
  readonly method: string;
  /** Decoded path segments below the root of the API. */
  readonly segments: readonly string[];
  /** The raw query string without `?`. */
  readonly search: string;
  readonly header: (name: string) => string | undefined;
  /** The body as text; empty when there is none. */
  readonly body: string;
}

/** A request with the preferences that its header names, read once. */
export interface ApiRequest extends Incoming {
  readonly preferences: Preferences;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for an answer without a body. Pieces of a long one are sent as they come. */
  readonly body?: string | RowStream;
}

/** Leaves out what is undefined. */
export function headersOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
}
