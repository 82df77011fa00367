/** Upstreams that this machine can use at once: keys of vendors in the environment, and a local Ollama. */
import { fetch } from 'undici';

/** An upstream as the router's config has it. */
export interface FoundUpstream {
  readonly name: string;
  readonly dialect?: 'anthropic' | 'gemini';
  readonly baseUrl?: string;
  /** The variable of the environment that holds its key; the config names the variable, never the key. */
  readonly variable?: string;
}

/** `GET /api/version` of Ollama answers in milliseconds; nothing on the port answers at once. */
const OLLAMA_TIMEOUT = 1_000;

const VENDORS: readonly FoundUpstream[] = [
  { name: 'openai', baseUrl: 'https://api.openai.com/v1', variable: 'OPENAI_API_KEY' },
  { name: 'anthropic', dialect: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
  { name: 'gemini', dialect: 'gemini', variable: 'GEMINI_API_KEY' },
  { name: 'groq', baseUrl: 'https://api.groq.com/openai/v1', variable: 'GROQ_API_KEY' },
  { name: 'mistral', baseUrl: 'https://api.mistral.ai/v1', variable: 'MISTRAL_API_KEY' },
  { name: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1', variable: 'OPENROUTER_API_KEY' },
];

/** No vendor is asked; `ollama` is the address at which a local Ollama is looked for. */
export async function findUpstreams(
  env: NodeJS.ProcessEnv,
  ollama = ollamaAddress(env['OLLAMA_HOST']),
): Promise<FoundUpstream[]> {
  const vendors = VENDORS.filter(({ variable = '' }) => (env[variable] ?? '') !== '');
  const isThere = await answersAsOllama(ollama);
  return isThere ? [...vendors, { name: 'ollama', baseUrl: `${ollama}/v1` }] : vendors;
}

async function answersAsOllama(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(OLLAMA_TIMEOUT);
    const answer = await fetch(`${address}/api/version`, { signal });
    const { version } = (await answer.json()) as { readonly version?: unknown };
    return answer.ok && typeof version === 'string';
  } catch {
    return false;
  }
}

/** `OLLAMA_HOST` is an address, or a host with a port, and 0.0.0.0 where Ollama listens everywhere. */
function ollamaAddress(host = ''): string {
  const usual = 'http://127.0.0.1:11434';
  if (host === '') return usual;
  const address = host.includes('://') ? host : `http://${host}`;
  if (!URL.canParse(address)) return usual;
  const url = new URL(address);
  if (url.port === '' && !host.includes('://')) url.port = '11434';
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  return url.origin;
}
