/** A server with the speech plugin, and what the tests of speech ask of it. */
import { bootTest, type BootTestOptions, type TestServer } from 'plugboard/testing';
import speech from '../../../plugins/speech/index.js';

export interface SpeechServer extends TestServer {
  readonly url: string;
  readonly apiKey: string;
  speak(body: object, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  explain(body: object, headers?: Record<string, string>): Promise<Response>;
  usage(): Promise<{ used_seconds: number; reserved_seconds: number; remaining_seconds: number }>;
}

/** For tests that count the seconds of an upstream. */
export const NO_PAUSES = { sentence: 0, paragraph: 0, comma: 0, release: 0 };

/** Listens, with a key that may speak. */
export async function speechServer(
  config: object = {},
  options: BootTestOptions = {},
): Promise<SpeechServer> {
  const server = await bootTest({ ...options, plugins: [{ plugin: speech, config }] });
  const url = await server.listen();
  const apiKey = await server.key('speech');
  const post = (
    path: string,
    body: object,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  return {
    ...server,
    url,
    apiKey,
    speak: (body, headers, signal) =>
      post('/api/v1/audio/speech', { voice: 'sera', ...body }, headers, signal),
    explain: (body, headers) => post('/api/v1/audio/speech/explain', body, headers),
    usage: async () => {
      const response = await fetch(`${url}/api/v1/usage`, { headers: { 'x-api-key': apiKey } });
      return (await response.json()) as never;
    },
    [Symbol.asyncDispose]: server.stop,
  };
}
