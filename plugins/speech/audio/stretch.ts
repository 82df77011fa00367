/**
 * Time stretching at the same pitch, by waveform similarity overlap-add (Verhelst and Roelands 1993, An overlap-add
 * technique based on waveform similarity for high quality time-scale modification of speech).
 */
import { nextTurn } from 'plugboard/sdk';

/** Seconds: the window, and how far to each side the best match is searched. */
const WINDOW = 0.03;
const SEARCH = 0.008;
/** Every fourth sample is compared: voices have little above a quarter of the sample rate. */
const STEP = 4;
/** Windows between two turns of the event loop; one takes about 0.03 ms. */
const WINDOWS_A_TURN = 60;
const SAMPLES_A_TURN = 200_000;

/** `speed` above 1 shortens the sound. */
export async function stretch(pcm: Int16Array, speed: number, sampleRate: number): Promise<Int16Array> {
  const window = Math.round(WINDOW * sampleRate);
  if (speed === 1 || pcm.length < 4 * window) return pcm;
  const hop = window >> 1;
  const search = Math.round(SEARCH * sampleRate);
  const out = new Float32Array(Math.round(pcm.length / speed) + window);
  // Half-overlapped Hann windows add up to one.
  const hann = Float32Array.from(
    { length: window },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / window),
  );
  let natural = 0;
  for (let at = 0, turn = 0; at + window < out.length; at += hop, turn += 1) {
    const ideal = Math.round(at * speed);
    const last = pcm.length - window;
    const start = at === 0 ? 0 : bestMatch(pcm, Math.min(natural, last), { ideal, search, hop, last });
    for (let sample = 0; sample < window; sample += 1)
      out[at + sample] = (out[at + sample] ?? 0) + (pcm[start + sample] ?? 0) * (hann[sample] ?? 0);
    natural = start + hop;
    if (turn % WINDOWS_A_TURN === WINDOWS_A_TURN - 1) await nextTurn();
  }
  return rounded(out, Math.round(pcm.length / speed));
}

/** Back to samples, in steps of 2 ms. */
async function rounded(values: Float32Array, length: number): Promise<Int16Array> {
  const samples = new Int16Array(length);
  for (let start = 0; start < length; start += SAMPLES_A_TURN) {
    const end = Math.min(length, start + SAMPLES_A_TURN);
    for (let at = start; at < end; at += 1)
      samples[at] = Math.max(-32_768, Math.min(32_767, Math.round(values[at] ?? 0)));
    await nextTurn();
  }
  return samples;
}

/** The position near `ideal` where the sound most resembles that at `natural`. */
function bestMatch(
  pcm: Int16Array,
  natural: number,
  { ideal, search, hop, last }: { ideal: number; search: number; hop: number; last: number },
): number {
  let best = Math.max(0, Math.min(ideal, last));
  let highest = -Infinity;
  for (let start = Math.max(0, ideal - search); start <= Math.min(last, ideal + search); start += STEP) {
    let sum = 0;
    for (let at = 0; at < hop; at += STEP) sum += (pcm[natural + at] ?? 0) * (pcm[start + at] ?? 0);
    if (sum > highest) {
      highest = sum;
      best = start;
    }
  }
  return best;
}
