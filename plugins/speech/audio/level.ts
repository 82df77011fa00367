/** Loudness: every sentence of every voice at the same level, without clipping. */
import { nextTurn } from 'plugboard/sdk';

/** Root mean square of the audible parts, relative to full scale: -20 dB. */
const TARGET = 0.1;
const PEAK = 0.95;
/** Samples below this are silence and do not count. */
const SILENCE = 200;
/** Samples between two turns of the event loop, about 1 ms: a slow sentence has two million. */
const SAMPLES_A_TURN = 100_000;

/** Changes the samples in place. */
export async function level(pcm: Int16Array): Promise<void> {
  let sum = 0;
  let count = 0;
  let peak = 0;
  for (let start = 0; start < pcm.length; start += SAMPLES_A_TURN) {
    const end = Math.min(pcm.length, start + SAMPLES_A_TURN);
    for (let at = start; at < end; at += 1) {
      const size = Math.abs(pcm[at] ?? 0);
      if (size > peak) peak = size;
      if (size < SILENCE) continue;
      sum += size * size;
      count += 1;
    }
    if (pcm.length > SAMPLES_A_TURN) await nextTurn();
  }
  if (count === 0) return;
  const gain = Math.min((TARGET * 32_768) / Math.sqrt(sum / count), (PEAK * 32_768) / peak);
  for (let start = 0; start < pcm.length; start += SAMPLES_A_TURN) {
    const end = Math.min(pcm.length, start + SAMPLES_A_TURN);
    for (let at = start; at < end; at += 1) pcm[at] = Math.round((pcm[at] ?? 0) * gain);
    if (pcm.length > SAMPLES_A_TURN) await nextTurn();
  }
}
