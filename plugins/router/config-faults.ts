/** Faults of upstreams, and names that are duplicate or unknown. */
import type { ConfigFault } from 'plugboard/sdk';
import { patternFault } from './guards/patterns.js';
import type { RouterConfig, UpstreamSettings } from './schema.js';

/** Headers that the router or its client writes. */
const OUR_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

type Names = Pick<RouterConfig, 'upstreams' | 'routes'>;

export function* configFaults({ upstreams, routes, guards }: RouterConfig): Generator<ConfigFault> {
  const names = upstreams.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (names.indexOf(name) < at)
      yield { path: ['upstreams', at, 'name'], message: `the name "${name}" is taken twice` };
  for (const [at, upstream] of upstreams.entries())
    for (const { path, message } of upstreamFaults(upstream))
      yield { path: ['upstreams', at, ...path], message };
  for (const [route, { targets }] of Object.entries(routes))
    for (const [at, target] of targets.entries()) {
      const message = targetFault(upstreams, typeof target === 'string' ? target : target.model);
      if (message !== undefined) yield { path: ['routes', route, 'targets', at], message };
    }
  for (const [name, { pattern }] of Object.entries(guards.patterns)) {
    const message = patternFault(pattern);
    if (message !== undefined) yield { path: ['guards', 'patterns', name, 'pattern'], message };
  }
}

export function* upstreamFaults(settings: UpstreamSettings): Generator<ConfigFault> {
  const { dialect, baseUrl, headers, apiKey, apiKeys } = settings;
  if (baseUrl === undefined) {
    if (dialect === 'openai' || dialect === 'azure')
      yield { path: [], message: `give "baseUrl": an upstream of dialect ${dialect} has none by default` };
  } else if (!URL.canParse(baseUrl)) yield { path: ['baseUrl'], message: `"${baseUrl}" is not a URL` };
  for (const header of Object.keys(headers)) {
    const lower = header.toLowerCase();
    const path = ['headers', header];
    if (OUR_HEADERS.has(lower)) yield { path, message: `"${header}" is not yours to set` };
    else if (lower === 'authorization' && (apiKey ?? apiKeys) !== undefined)
      yield { path, message: `give either "apiKey" or headers.${header}, not both` };
  }
}

function targetFault(upstreams: Names['upstreams'], target: string): string | undefined {
  const slash = target.indexOf('/');
  const [prefix, model] = [target.slice(0, slash), target.slice(slash + 1)];
  const upstream = upstreams.find(({ name }) => name === prefix);
  if (upstream === undefined)
    return `there is no upstream "${prefix}" (configured: ${upstreams.map(({ name }) => name).join(', ') || 'none'})`;
  const listed = upstream.models?.map((one) => (typeof one === 'string' ? one : one.name));
  if (listed === undefined || listed.includes(model)) return undefined;
  return `"${model}" is not in models of upstream "${prefix}" (listed: ${listed.join(', ') || 'none'})`;
}
