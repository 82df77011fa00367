/** Loudness: every sentence of every voice at one level, without clipping. */

/** Root mean square of the parts that sound, beside full scale: -20 dB. */
const TARGET = 0.1;
const PEAK = 0.95;
/** Samples below this are silence and do not count. */
const SILENCE = 200;

/** Changes the samples in place. */
export function level(pcm: Int16Array): void {
  let sum = 0;
  let count = 0;
  let peak = 0;
  for (const sample of pcm) {
    const size = Math.abs(sample);
    if (size > peak) peak = size;
    if (size < SILENCE) continue;
    sum += sample * sample;
    count += 1;
  }
  if (count === 0) return;
  const gain = Math.min((TARGET * 32_768) / Math.sqrt(sum / count), (PEAK * 32_768) / peak);
  for (let at = 0; at < pcm.length; at += 1) pcm[at] = Math.round((pcm[at] ?? 0) * gain);
}
