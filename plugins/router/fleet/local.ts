/** A model server on this machine, which nobody need configure. */

/** Ollama's default address. */
const OLLAMA = 'http://127.0.0.1:11434';
/** Milliseconds. */
const PATIENCE = 700;
const NAMED = 50;

export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** Undefined if none answers. */
export async function localServer(address = OLLAMA): Promise<LocalServer | undefined> {
  try {
    const answer = await fetch(`${address}/api/tags`, {
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'error',
    });
    const { models } = (await answer.json()) as { models?: readonly { readonly name?: unknown }[] };
    if (!Array.isArray(models)) return undefined;
    const names = models.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
    return { name: 'ollama', baseUrl: `${address}/v1`, models: names.slice(0, NAMED) };
  } catch {
    return undefined;
  }
}
