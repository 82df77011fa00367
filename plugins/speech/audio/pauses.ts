/** Silence between sentences: an engine's own is cut off, so that pauses are the same with every engine. */
import type { SpeechPart } from '../engines/engine.js';
import type { Break } from '../korean/sentences.js';
import { level } from './level.js';

/** Milliseconds at speed 1; `release` follows the last sentence. */
export type Pauses = Readonly<Record<Break | 'release', number>>;

/** -45 dB of full scale: inaudible in sound at the level that `level` makes. */
const AUDIBLE = 184;
/** Seconds kept before and after the audible part, and faded. */
const EDGE = 0.004;

export interface JoinedSpeech extends SpeechPart {
  /** Where each part sounds, in milliseconds; empty for a silent part. */
  readonly spans: readonly Span[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Joins the parts of a sentence, with `pause` milliseconds between. */
export async function joinParts(
  parts: readonly SpeechPart[],
  sampleRate: number,
  pause: number,
): Promise<JoinedSpeech> {
  const sounds = await levelled(parts);
  const edge = Math.round(EDGE * sampleRate);
  const gap = Math.round((pause * sampleRate) / 1_000);
  const pieces: Int16Array[] = [];
  const timing: SpeechPart['timing'][number][] = [];
  const words: number[] = [];
  const spans: Span[] = [];
  const ms = (samples: number): number => (samples * 1_000) / sampleRate;
  let length = 0;
  for (const [at, pcm] of sounds.entries()) {
    const [start, end] = audible(pcm, edge);
    if (start >= end) {
      spans.push({ start: ms(length), end: ms(length) });
      continue;
    }
    if (pieces.length > 0) length += gap;
    const shift = ms(length - start);
    for (const { phoneme, at: time } of parts[at]?.timing ?? [])
      timing.push({ phoneme, at: Math.max(0, Math.round(time + shift)) });
    for (const time of parts[at]?.words ?? []) words.push(Math.max(0, time + shift));
    spans.push({ start: ms(length), end: ms(length + end - start) });
    const piece = pcm.subarray(start, end);
    fade(piece, edge);
    pieces.push(piece);
    length += piece.length;
  }
  return { pcm: withGaps(pieces, gap, length), timing, words, spans };
}

/** All with one gain, as the parts belong to one sentence. */
async function levelled(parts: readonly SpeechPart[]): Promise<Int16Array[]> {
  const whole = new Int16Array(parts.reduce((sum, { pcm }) => sum + pcm.length, 0));
  const sounds: Int16Array[] = [];
  let at = 0;
  for (const { pcm } of parts) {
    whole.set(pcm, at);
    sounds.push(whole.subarray(at, (at += pcm.length)));
  }
  await level(whole);
  return sounds;
}

/** The range of audible samples plus an edge, end exclusive. */
function audible(pcm: Int16Array, edge: number): [start: number, end: number] {
  let start = 0;
  while (start < pcm.length && Math.abs(pcm[start] ?? 0) < AUDIBLE) start += 1;
  if (start === pcm.length) return [0, 0];
  let end = pcm.length;
  while (Math.abs(pcm[end - 1] ?? 0) < AUDIBLE) end -= 1;
  return [Math.max(0, start - edge), Math.min(pcm.length, end + edge)];
}

/** Fades both ends, so that cuts do not click. */
function fade(pcm: Int16Array, edge: number): void {
  const length = Math.min(edge, pcm.length >> 1);
  for (let at = 0; at < length; at += 1) {
    const gain = at / length;
    pcm[at] = Math.round((pcm[at] ?? 0) * gain);
    const last = pcm.length - 1 - at;
    pcm[last] = Math.round((pcm[last] ?? 0) * gain);
  }
}

function withGaps(pieces: readonly Int16Array[], gap: number, length: number): Int16Array {
  const pcm = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    pcm.set(piece, at);
    at += piece.length + gap;
  }
  return pcm;
}
