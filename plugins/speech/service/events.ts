/** A stream as OpenAI's events (`stream_format: sse`), or as bytes. */
import type { SpokenPiece } from './speaker.js';
import type { StreamForm } from './stream.js';
import type { Timeline } from './timestamps.js';

export const bytes: StreamForm = { piece: (piece) => piece.bytes, end: () => undefined };

export interface EventsInput {
  /** Of the text, for `usage`, whose tokens are characters. */
  readonly characters: number;
  /** If timestamps were requested. */
  readonly timeline: Timeline | undefined;
  /** An error's body as JSON. */
  readonly renderError: (error: unknown) => string;
}

export function events({ characters, timeline, renderError }: EventsInput): StreamForm {
  return {
    piece: (piece) => timestamps(timeline, piece) + delta(piece),
    end: (ms) => {
      const usage = { input_tokens: characters, output_tokens: 0, total_tokens: characters };
      return event({ type: 'speech.audio.done', usage, seconds: ms / 1_000 });
    },
    failure: (error) => `data: ${renderError(error)}\n\n`,
  };
}

function timestamps(timeline: Timeline | undefined, { sound, start }: SpokenPiece): string {
  if (timeline === undefined || sound === undefined) return '';
  return event({ type: 'speech.audio.timestamps', ...timeline.of(sound, start) });
}

function delta({ bytes: audio }: SpokenPiece): string {
  return audio.length === 0 ? '' : event({ type: 'speech.audio.delta', audio: audio.toString('base64') });
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
