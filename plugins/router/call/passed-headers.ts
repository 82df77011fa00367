/** What of a caller's headers goes on to an upstream, names and values in turn. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Upstream } from '../upstream/upstream.js';

/** Characters of a value that is passed on. */
const LONGEST = 512;

/** The W3C trace context. */
export function traceOf(headers: IncomingHttpHeaders): string[] {
  const parent = named(headers, 'traceparent');
  return parent.length === 0 ? parent : [...parent, ...named(headers, 'tracestate')];
}

/** The version that Anthropic requires. */
export function versionOf({ kind, apiVersion = '2023-06-01' }: Upstream): string[] {
  return kind.wire === 'anthropic' ? ['anthropic-version', apiVersion] : [];
}

/** A client of Anthropic's at one of its upstreams: betas that nobody else knows would be refused. */
export function anthropicHeaders(headers: IncomingHttpHeaders, upstream: Upstream): string[] {
  const version = named(headers, 'anthropic-version');
  return [...(version.length === 0 ? versionOf(upstream) : version), ...named(headers, 'anthropic-beta')];
}

function named(headers: IncomingHttpHeaders, name: string): string[] {
  const value = headers[name];
  return typeof value === 'string' && value.length <= LONGEST ? [name, value] : [];
}
