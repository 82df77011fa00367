/** Resampling by a windowed sinc (Smith, Digital Audio Resampling, 2002). */
import { nextTurn } from 'plugboard/sdk';

/** Zero crossings on each side. */
const REACH = 16;
/** Filter phases between two samples; the nearest is used. */
const PLACES = 512;
/** Samples between two turns of the event loop, about 1 ms. */
const SAMPLES_A_TURN = 20_000;

/** `pcm` begins and ends with silence. */
export async function resample(pcm: Int16Array, from: number, to: number): Promise<Int16Array> {
  if (from === to) return pcm;
  // When downsampling, a wider sinc filters out what the lower rate cannot hold.
  const cutoff = Math.min(1, to / from);
  const filter = filterOf(cutoff);
  const reach = Math.ceil(REACH / cutoff);
  const out = new Int16Array(Math.round((pcm.length * to) / from));
  for (let at = 0; at < out.length; at += 1) {
    const place = (at * from) / to;
    const first = Math.max(0, Math.ceil(place - reach));
    const last = Math.min(pcm.length - 1, Math.floor(place + reach));
    let sum = 0;
    for (let sample = first; sample <= last; sample += 1)
      sum += (pcm[sample] ?? 0) * (filter[Math.round(Math.abs(sample - place) * PLACES)] ?? 0);
    out[at] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
    if (at % SAMPLES_A_TURN === SAMPLES_A_TURN - 1) await nextTurn();
  }
  return out;
}

/** One half of the filter, with a Hann window. */
function filterOf(cutoff: number): Float64Array {
  const reach = Math.ceil(REACH / cutoff);
  return Float64Array.from({ length: reach * PLACES + 1 }, (_, index) => {
    const x = index / PLACES;
    const phase = Math.PI * cutoff * x;
    const sinc = x === 0 ? 1 : Math.sin(phase) / phase;
    return cutoff * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach));
  });
}
