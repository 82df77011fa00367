/** One stream on its way to a client, cut, ended and left at every place there is. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { ChatStream, type StreamEnd } from '../../../plugins/router/call/chat-stream.js';
import type { AttemptFailure } from '../../../plugins/router/call/failure.js';
import { PassedChat } from '../../../plugins/router/call/passed-chat.js';
import { Watchdog } from '../../../plugins/router/call/watchdog.js';
import { UpstreamAnswer } from '../../../plugins/router/upstream/answer.js';
import { NO_TOKENS } from '../../../plugins/router/usage/tokens.js';

const LIMITS = {
  headers: 60_000,
  firstToken: 60_000,
  idle: 60_000,
  maxAnswerBytes: 10_000,
};
const USAGE = { prompt_tokens: 5, completion_tokens: 3 };

const EVENTS = [
  event({ role: 'assistant', content: 'grüß ' }),
  event({ content: 'dich 😀' }),
  event({}, 'stop'),
  `data: ${JSON.stringify({ model: 'm', choices: [], usage: USAGE })}\n\n`,
  'data: [DONE]\n\n',
];
const BYTES = Buffer.from(EVENTS.join(''));
/** Where the events end, in bytes. */
const ENDS = EVENTS.map((_, at) => Buffer.byteLength(EVENTS.slice(0, at + 1).join('')));
const [FIRST = 0, , FINISHED = 0, METERED = 0, WHOLE = 0] = ENDS;

test('however the bytes are cut, the client gets the same events and the same counts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(BYTES.length), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), BYTES.length];
      const stream = new Wire();
      for (const [at, to] of places.slice(1).entries()) stream.arrive(BYTES.subarray(places[at], to));
      stream.end();
      await stream.opened;
      assert.equal(await stream.rest(), BYTES.toString());
      assert.deepEqual(stream.ends, [{ tokens: TOKENS, answer: 'grüß dich 😀', model: 'm', failure: null }]);
    }),
  );
});

test('a connection that closes after any byte gives whole events and then the failure; before the first event, nothing', async () => {
  for (let length = 0; length < BYTES.length; length += 1) {
    const stream = new Wire();
    stream.arrive(BYTES.subarray(0, length));
    stream.end();
    if (length < FIRST) {
      await assert.rejects(
        stream.opened,
        ({ kind }: AttemptFailure) => kind === 'invalid',
        `${length} bytes`,
      );
      assert.deepEqual(stream.ends, [], 'what was never opened is nobody’s usage');
      continue;
    }
    await stream.opened;
    const whole = Buffer.from(EVENTS.slice(0, ENDS.filter((end) => end <= length).length).join(''));
    const text = await stream.rest();
    const [{ failure, tokens } = assert.fail(), ...more] = stream.ends;
    assert.equal(more.length, 0);
    // Finished, and nothing cut in two: only [DONE] is missing.
    const isForgiven = length === FINISHED || length === METERED || length >= WHOLE - 2;
    assert.equal(text, whole.toString() + (isForgiven ? 'data: [DONE]\n\n' : FAILED), `${length} bytes`);
    assert.equal(failure?.code, isForgiven ? undefined : 'stream_broken_off');
    assert.deepEqual(tokens, length >= METERED ? TOKENS : NO_TOKENS);
  }
});

test('a client that leaves ends the call to the upstream, once; a finished answer is read on for its counts', async () => {
  for (let pieces = 1; pieces <= EVENTS.length; pieces += 1) {
    const stream = new Wire();
    for (const piece of EVENTS.slice(0, pieces)) stream.arrive(Buffer.from(piece));
    const readable = await stream.opened;
    readable.destroy();
    await nextTurn();
    // What still comes is nobody's any more.
    for (const piece of EVENTS.slice(pieces)) stream.arrive(Buffer.from(piece));
    stream.end();
    const isFinished = pieces >= 3;
    assert.equal(stream.ends.length, 1);
    assert.equal(stream.ends[0]?.failure?.code, isFinished ? undefined : 'client_gone');
    assert.deepEqual(stream.ends[0]?.tokens, isFinished ? TOKENS : NO_TOKENS);
    assert.equal(stream.isAborted, !isFinished);
  }
});

test('a client that leaves before the first event ends the attempt', async () => {
  const leaving = new AbortController();
  const stream = new Wire(leaving.signal);
  stream.arrive(Buffer.from(': one moment\n\n'));
  leaving.abort();
  await assert.rejects(stream.opened, { code: 'client_gone' });
  assert.equal(stream.isAborted, true);
});

test('an answer that ends while its client is slow is read to its end, so that its connection can be used again', async () => {
  const stream = new Wire();
  const [first = '', ...more] = EVENTS;
  stream.arrive(Buffer.from(first));
  await stream.opened;
  assert.equal(stream.isPaused, true, 'until the client reads');
  // undici hands over what it has parsed already.
  stream.arrive(Buffer.from(more.join('')));
  assert.equal(stream.isPaused, false);
  stream.end();
  assert.equal(await stream.rest(), BYTES.toString());
});

test('an upstream that has more after [DONE] is not listened to', async () => {
  const stream = new Wire();
  stream.arrive(Buffer.concat([BYTES, Buffer.from(EVENTS[0] ?? '')]));
  stream.arrive(BYTES);
  stream.end();
  await stream.opened;
  assert.equal(await stream.rest(), BYTES.toString());
  assert.equal(stream.ends.length, 1);
});

test('a failure in a later event of the first piece hides the piece: another upstream may still serve', async () => {
  const stream = new Wire();
  stream.arrive(Buffer.from(`${EVENTS[0]}data: {"error":{"message":"x"}}\n\n`));
  await assert.rejects(stream.opened, { code: 'error_in_stream' });
  assert.equal(stream.isAborted, true);
});

const TOKENS = { ...NO_TOKENS, tokensIn: 5, tokensOut: 3 };
const FAILED = 'data: failed\n\n';

function event(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ model: 'm', choices })}\n\n`;
}

/** An answer whose bytes the test hands over as undici does, and the stream that is made of it. */
class Wire {
  readonly opened: Promise<ChatStream>;
  /** How the stream ended, each time that it said so. */
  readonly ends: StreamEnd[] = [];
  isAborted = false;
  isPaused = false;
  readonly #answer = new UpstreamAnswer();
  readonly #controller = {
    abort: () => (this.isAborted = true),
    pause: () => (this.isPaused = true),
    resume: () => (this.isPaused = false),
  } as unknown as Dispatcher.DispatchController;

  constructor(signal?: AbortSignal) {
    this.#answer.onRequestStart(this.#controller);
    this.#answer.onResponseStart(this.#controller, 200, {});
    const watchdog = new Watchdog(60_000, signal);
    watchdog.guard((failure) => this.#answer.abort(failure));
    this.opened = ChatStream.open(
      this.#answer,
      watchdog,
      LIMITS,
      new PassedChat({ passUsage: true, refuseFiltered: false }),
    ).then((stream) => {
      stream.follow({ describe: () => FAILED, ended: (end) => this.ends.push(end) });
      return stream;
    });
    this.opened.catch(() => {});
  }

  arrive(bytes: Buffer): void {
    this.#answer.onResponseData(this.#controller, bytes);
  }

  end(): void {
    this.#answer.onResponseEnd();
  }

  /** What the client reads, to the end. */
  async rest(): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.opened) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  }
}
