/** Sends a case of the corpus as it wants to be sent. */
import { connect } from 'node:net';
import { request, type Agent } from 'undici';
import type { Credential } from './credentials.js';
import type { CorpusCase } from './corpus.js';
import { sendAs } from './clients.js';

/** A request that is not answered in this time counts as never answered. */
export const ANSWER_WITHIN = 20_000;

/** Milliseconds until a client leaves that misbehaves. */
const PATIENCE = 1_000;

export interface Answered {
  /** 0 where the connection ended without an answer, -1 where nothing came in time. */
  readonly status: number;
  readonly body: string;
}

export interface Target {
  readonly url: string;
  readonly dispatcher: Agent;
  /** Milliseconds that an answer may take. */
  readonly within: number;
}

/** `body` is made before: making a large one takes as long as sending it. */
export async function send(
  each: CorpusCase,
  body: string | Uint8Array | undefined,
  credential: Credential | null,
  { url, dispatcher, within }: Target,
): Promise<Answered> {
  if (each.raw !== undefined) return sendRaw(each.raw, url);
  const { method = 'GET', client } = each;
  const path = each.path.replace('{app}', credential?.app ?? '');
  const headers = {
    ...(credential !== null && { authorization: credential.authorization }),
    ...each.headers,
  };
  if (client !== undefined) {
    const patience = each.patience ?? PATIENCE;
    return { status: await sendAs(client, { url, method, path, headers, body, patience }), body: '' };
  }
  try {
    const answer = await request(url + path, {
      method: method as 'GET',
      headers,
      ...(body !== undefined && { body }),
      dispatcher,
      signal: AbortSignal.timeout(within),
    });
    let text = '';
    // An answer may be long: it is read to the end, as a client would, and not kept.
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (text.length < 2_000) text += chunk.toString();
    }
    return { status: answer.statusCode, body: text.slice(0, 2_000) };
  } catch (error) {
    // The server may answer and close while a large body is still being sent.
    return { status: (error as Error).name === 'TimeoutError' ? -1 : 0, body: (error as Error).message };
  }
}

async function sendRaw(bytes: string, url: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), body: answer.slice(0, 2_000) });
    };
    // Bytes that do not make a whole request are never answered: the connection is closed.
    const timer = setTimeout(done, 500);
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.on('close', done).on('error', done);
  });
}
