/** One attempt: a POST that follows no redirect, reads little of the response, and checks the address. */
import { guardedLookup, type Resolve } from 'plugboard/sdk';
import { Agent, request } from 'undici';
import { urlProblem } from './endpoints.js';

const TIMEOUT = 15_000;
/** Bytes of a response that are read, so that its connection can be reused. */
const MOST_READ = 64 * 1024;
const LONGEST_ERROR = 200;

export interface Outcome {
  /** Null if no response came. */
  readonly status: number | null;
  /** Null when it was delivered. */
  readonly error: string | null;
}

export interface Courier {
  send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** Only tests replace `resolve`. */
export function courier(allowPrivate: boolean, resolve?: Resolve): Courier {
  const dispatcher = new Agent({
    keepAliveTimeout: 10_000,
    connect: { lookup: guardedLookup(allowPrivate, resolve), timeout: TIMEOUT },
  });
  return {
    async send(url, headers, body, signal) {
      const problem = urlProblem(url, allowPrivate);
      if (problem !== undefined) return { status: null, error: problem };
      try {
        const answer = await request(url, {
          method: 'POST',
          headers: { 'user-agent': 'Plugboard', ...headers },
          body,
          dispatcher,
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        });
        await answer.body.dump({ limit: MOST_READ });
        const { statusCode: status } = answer;
        return { status, error: status >= 200 && status < 300 ? null : `the answer was ${status}` };
      } catch (error) {
        return { status: null, error: reason(error) };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function reason(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT / 1_000} s`;
  if (name === 'ForbiddenAddress') return 'the name leads to an address that is not allowed';
  return (typeof code === 'string' ? code : message).slice(0, LONGEST_ERROR);
}
