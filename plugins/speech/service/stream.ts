/**
 * A text sent while it is spoken. Produced at the engine's speed, so that a slow reader holds no engine, and charged
 * for the sentences that were handed to the client.
 */
import type { Pieces } from 'plugboard/sdk';
import type { SpokenPiece } from './speaker.js';
import { Channel } from './channel.js';

export interface StreamParts {
  /** Produces until `signal` is aborted. */
  readonly make: (signal: AbortSignal) => AsyncIterable<SpokenPiece>;
  /** Called once, with the milliseconds handed over. False if they could not be charged. */
  readonly settle: (ms: number) => Promise<boolean>;
  readonly form: StreamForm;
  /** Aborted when the client leaves. */
  readonly gone: AbortSignal;
}

/** How pieces are serialised. */
export interface StreamForm {
  piece(piece: SpokenPiece): string | Uint8Array;
  /** After the last piece. */
  end(ms: number): string | undefined;
  /** Replaces the end; without it the connection is cut. */
  failure?(error: unknown): string;
}

/** Resolves with the first piece; throws what fails before. */
export async function openStream({ make, settle, form, gone }: StreamParts): Promise<Pieces> {
  const stop = new AbortController();
  const made = new Channel<SpokenPiece>();
  let settled: Promise<boolean> | undefined;
  let sent = 0;
  const charge = (): Promise<boolean> => (settled ??= settle(sent));
  const produce = async (): Promise<void> => {
    for await (const piece of make(AbortSignal.any([gone, stop.signal]))) made.push(piece);
  };
  produce().then(
    () => made.end(),
    (error: unknown) => made.end({ error }),
  );
  let first: SpokenPiece | undefined;
  try {
    first = await made.take();
  } catch (error) {
    await charge();
    throw error;
  }

  async function* pieces(): AsyncGenerator<string | Uint8Array, void> {
    try {
      for (let piece = first; piece !== undefined; piece = await made.take()) {
        first = undefined;
        const written = form.piece(piece);
        sent = piece.ms;
        if (written.length > 0) yield written;
      }
      if (!(await charge())) throw new Error('the hold of the call is gone');
      const end = form.end(sent);
      if (end !== undefined) yield end;
    } catch (error) {
      await charge();
      if (form.failure === undefined) throw error;
      yield form.failure(error);
    }
  }

  const generator = pieces();
  return {
    get held() {
      return made.waiting.reduce((sum, { bytes }) => sum + bytes.length, first?.bytes.length ?? 0);
    },
    next: () => generator.next(),
    return: async () => {
      // A pending piece is never delivered.
      stop.abort();
      made.end({ error: stop.signal.reason });
      await generator.return();
      await charge();
    },
  };
}
