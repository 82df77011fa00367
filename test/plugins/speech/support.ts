/** A server with the speech plugin, and what the tests of speech ask of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bootTest, type BootTestOptions, type TestServer } from 'plugboard/testing';
import speech from '../../../plugins/speech/index.js';

export interface SpeechServer extends TestServer {
  readonly url: string;
  readonly apiKey: string;
  speak(body: object, headers?: Record<string, string>): Promise<Response>;
  usage(): Promise<{ used_seconds: number; reserved_seconds: number; remaining_seconds: number }>;
}

/** Listens, with a key that may speak. */
export async function speechServer(
  config: object = {},
  options: BootTestOptions = {},
): Promise<SpeechServer> {
  const server = await bootTest({ ...options, plugins: [{ plugin: speech, config }] });
  const url = await server.listen();
  const apiKey = await server.key('speech');
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    ...server,
    url,
    apiKey,
    speak: (body, headers) => post('/api/v1/audio/speech', { voice: 'sera', ...body }, headers),
    usage: async () => {
      const response = await fetch(`${url}/api/v1/usage`, { headers: { 'x-api-key': apiKey } });
      return (await response.json()) as never;
    },
    [Symbol.asyncDispose]: server.stop,
  };
}

/** Until the condition holds, for ten seconds at most. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error('the condition did not come to hold');
}
