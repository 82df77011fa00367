/** The kinds of upstreams: their dialect, their paths, and how they take a key. */
import type { DialectName } from '../dialects/neutral.js';
import type { UpstreamSettings } from '../schema.js';

export interface Kind {
  /** What conversations are written in. */
  readonly wire: DialectName;
  readonly baseUrl: string;
  /** The vendor for prices if the address does not tell, as `@pydantic/genai-prices` names it. */
  readonly vendor: string | undefined;
  /** The query added to that of `baseUrl`; empty, or with its question mark. */
  readonly query: string;
  readonly keyHeader: (secret: string) => readonly [name: string, value: string];
  /** The path of a call; undefined where this kind has no such call. */
  path(call: Call, model: string): string | undefined;
  /** The path of its list of models; undefined if it has none. */
  readonly models: string | undefined;
}

/** A conversation, counting its tokens, or one of OpenAI's paths. */
export type Call = 'conversation' | 'stream' | 'count' | `/${string}`;

export function kindOf(settings: UpstreamSettings): Kind {
  switch (settings.dialect) {
    case 'openai':
      return openai(settings);
    case 'azure':
      return azure(settings);
    case 'anthropic':
      return anthropic(settings);
    case 'gemini':
      return gemini(settings);
  }
}

const bearer = (secret: string) => ['authorization', `Bearer ${secret}`] as const;

const WIRE_PATHS = { chat: '/chat/completions', responses: '/responses' } as const;

function openAiPath(wire: 'chat' | 'responses', call: Call): string | undefined {
  if (call === 'count') return undefined;
  return call === 'conversation' || call === 'stream' ? WIRE_PATHS[wire] : call;
}

function openai({ baseUrl = '', wire }: UpstreamSettings): Kind {
  const path = (call: Call): string | undefined => openAiPath(wire, call);
  return { wire, baseUrl, vendor: undefined, query: '', keyHeader: bearer, path, models: '/models' };
}

/** With a version, a model is a deployment in the path; without, it is one in the body, as OpenAI has it. */
function azure({ baseUrl = '', wire, apiVersion }: UpstreamSettings): Kind {
  const path = (call: Call, model: string): string | undefined => {
    const own = openAiPath(wire, call);
    if (own === undefined) return undefined;
    if (apiVersion === undefined) return `/openai/v1${own}`;
    return own === '/responses' ? `/openai${own}` : `/openai/deployments/${segment(model)}${own}`;
  };
  const query = apiVersion === undefined ? '' : `?api-version=${encodeURIComponent(apiVersion)}`;
  // What it lists are models, and not its deployments.
  return {
    wire,
    baseUrl,
    vendor: 'azure',
    query,
    keyHeader: (secret) => ['api-key', secret],
    path,
    models: undefined,
  };
}

function anthropic({ baseUrl = 'https://api.anthropic.com' }: UpstreamSettings): Kind {
  const paths: Partial<Record<Call, string>> = {
    conversation: '/v1/messages',
    stream: '/v1/messages',
    count: '/v1/messages/count_tokens',
  };
  return {
    wire: 'anthropic',
    baseUrl,
    vendor: 'anthropic',
    query: '',
    keyHeader: (secret) => ['x-api-key', secret],
    path: (call) => paths[call],
    models: '/v1/models',
  };
}

function gemini({ baseUrl = 'https://generativelanguage.googleapis.com' }: UpstreamSettings): Kind {
  const actions: Partial<Record<Call, string>> = {
    conversation: 'generateContent',
    stream: 'streamGenerateContent?alt=sse',
    count: 'countTokens',
    '/embeddings': 'batchEmbedContents',
  };
  return {
    wire: 'gemini',
    baseUrl,
    vendor: 'google',
    query: '',
    keyHeader: (secret) => ['x-goog-api-key', secret],
    path: (call, model) => actions[call] && `/v1beta/models/${segment(model)}:${actions[call]}`,
    models: '/v1beta/models',
  };
}

/** A caller names the model: it must stay one segment of the path, and dots alone would climb in it. */
function segment(model: string): string {
  const name = model.replace(/^models\//, '');
  return /^\.+$/.test(name) ? name.replaceAll('.', '%2E') : encodeURIComponent(name);
}
