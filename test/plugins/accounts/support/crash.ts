/** Creations with keys of their own against a server that may die at any time. */
export interface Attempted {
  readonly key: string;
  /** The id that was answered, if an answer came. */
  id: string | undefined;
}

/** Sends one creation after the other from several writers until the server is gone or all are sent. */
export async function createAll(url: string, apiKey: string, attempts: readonly Attempted[]): Promise<void> {
  const waiting = [...attempts];
  const writer = async (): Promise<void> => {
    for (let attempt = waiting.shift(); attempt !== undefined; attempt = waiting.shift()) {
      try {
        const answer = await fetch(`${url}/v2/core/accounts`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': attempt.key,
          },
          body: JSON.stringify({ display_name: attempt.key }),
        });
        const { id } = (await answer.json()) as { id?: string };
        if (answer.status === 200) attempt.id = id;
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
}
