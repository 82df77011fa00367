/** The thread that counts tokens: its tables take 70 MB, and a long text some tenths of a second. */
import { parentPort } from 'node:worker_threads';
import { tokensOfRequest, tokensOfText } from './count.js';

/** Null: not to be counted. */
export interface Job {
  readonly id: number;
  /** A body as JSON. */
  readonly request: string | null;
  readonly answer: string | null;
}

export interface Counted {
  readonly id: number;
  readonly request: number | null;
  readonly answer: number | null;
}

parentPort!.on('message', ({ id, request, answer }: Job) => {
  const counted: Counted = {
    id,
    request: request === null ? null : tokensOfRequest(request),
    answer: answer === null ? null : tokensOfText(answer),
  };
  parentPort!.postMessage(counted);
});
