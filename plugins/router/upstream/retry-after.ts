/** `Retry-After` as upstreams send it and as we answer it (RFC 9110 10.2.3). */
import type { IncomingHttpHeaders } from 'node:http';

const LONGEST = 86_400_000;

/** Milliseconds to wait: `retry-after-ms`, which OpenAI and Azure send, is the finer one. */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const [fine, plain] = [headers['retry-after-ms'], headers['retry-after']].map((header) =>
    Array.isArray(header) ? header[0] : header,
  );
  const milliseconds = /^\d+(\.\d+)?$/.test(fine?.trim() ?? '') ? Number(fine) : undefined;
  return milliseconds === undefined ? parseRetryAfter(plain, now) : Math.min(LONGEST, milliseconds);
}

/** Milliseconds to wait, at most a day: from seconds, or from an HTTP date. Undefined for anything else. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(LONGEST, Number(text) * 1_000);
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.min(LONGEST, Math.max(0, at - now));
}

/** Whole seconds, at least one. */
export function renderRetryAfter(milliseconds: number): string {
  return String(Math.max(1, Math.ceil(milliseconds / 1_000)));
}
