/** The data API's own request and response, independent of the web framework. */
import type { Preferences } from './preferences.js';
import type { RowStream } from './rows-body.js';

export interface Incoming {
  readonly method: string;
  /** Decoded path segments below the root of the API. */
  readonly segments: readonly string[];
  /** The raw query string without `?`. */
  readonly search: string;
  readonly header: (name: string) => string | undefined;
  /** The body as text; empty if there is none. */
  readonly body: string;
}

/** A request with the preferences of its header, parsed once. */
export interface ApiRequest extends Incoming {
  readonly preferences: Preferences;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a response without a body. A long one is streamed. */
  readonly body?: string | RowStream;
}

/** Leaves out undefined ones. */
export function headersOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
}
