/** What can be measured of speech without listening: pitch, level, silence and the place of the formants. */

/** How loud it is, and when. */
export interface Loudness {
  /** Seconds. */
  readonly duration: number;
  /** Root mean square of the parts that sound, in dB of full scale. */
  readonly level: number;
  readonly peak: number;
  /** Share of frames below -40 dB of full scale, and seconds before the first and after the last that is not. */
  readonly silence: number;
  readonly lead: number;
  readonly tail: number;
}

export interface Pitch {
  /** Hz of each voiced frame, every 23 ms; 0 in the others. */
  readonly pitch: readonly number[];
  readonly medianPitch: number;
  /** Semitones between the 5th and the 95th percentile, of what lies within 9 of the median: further is another octave, taken by mistake. */
  readonly pitchRange: number;
}

/** The long-term spectrum without its slope, for `formantShift`. */
export type Envelope = readonly number[];

const FRAME = 512;
const AUDIBLE = 200;

/** Milliseconds of each stretch of silence, at least 60 ms below -45 dB; the last is the end of the file. */
export function gapsOf(pcm: Int16Array, sampleRate: number): number[] {
  const gaps: number[] = [];
  let since = 0;
  for (let at = 0; at <= pcm.length; at += 1) {
    if (at < pcm.length && Math.abs(pcm[at] ?? 0) < 184) continue;
    const milliseconds = ((at - since) * 1_000) / sampleRate;
    if (milliseconds >= 55) gaps.push(milliseconds);
    since = at + 1;
  }
  return gaps;
}

// Plain loops: what counts how often each line runs makes a callback for each sample five times as slow.

export function loudnessOf(pcm: Int16Array, sampleRate: number): Loudness {
  const loud: boolean[] = [];
  let [peak, sounding, energy] = [0, 0, 0];
  for (let start = 0; start + FRAME <= pcm.length; start += FRAME) {
    let sum = 0;
    for (let at = start; at < start + FRAME; at += 1) {
      const size = Math.abs(pcm[at] ?? 0);
      sum += size * size;
      if (size > peak) peak = size;
      if (size < AUDIBLE) continue;
      sounding += 1;
      energy += size * size;
    }
    loud.push(Math.sqrt(sum / FRAME) / 32_768 > 0.01);
  }
  return {
    duration: pcm.length / sampleRate,
    level: 20 * Math.log10(Math.sqrt(energy / Math.max(1, sounding)) / 32_768),
    peak: peak / 32_768,
    silence: loud.filter((isLoud) => !isLoud).length / loud.length,
    lead: (loud.indexOf(true) * FRAME) / sampleRate,
    tail: ((loud.length - 1 - loud.lastIndexOf(true)) * FRAME) / sampleRate,
  };
}

export function pitchOf(pcm: Int16Array, sampleRate: number): Pitch {
  const pitch = pitchTrack(decimate(pcm, 4), sampleRate / 4);
  const voiced = pitch.filter((hz) => hz > 0).sort((a, b) => a - b);
  const medianPitch = percentile(voiced, 0.5);
  const oneOctave = voiced.filter((hz) => Math.abs(12 * Math.log2(hz / medianPitch)) < 9);
  return {
    pitch,
    medianPitch,
    pitchRange: 12 * Math.log2(percentile(oneOctave, 0.95) / percentile(oneOctave, 0.05)),
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

function decimate(pcm: Int16Array, factor: number): Float32Array {
  const samples = new Float32Array(Math.floor(pcm.length / factor));
  for (let at = 0; at < samples.length; at += 1) {
    let sum = 0;
    for (let part = 0; part < factor; part += 1) sum += pcm[at * factor + part] ?? 0;
    samples[at] = sum / factor;
  }
  return samples;
}

/** The first strong peak of the normalised autocorrelation, from 60 to 420 Hz. */
function pitchTrack(samples: Float32Array, rate: number): number[] {
  const window = 256;
  const shortest = Math.floor(rate / 420);
  const longest = Math.ceil(rate / 60);
  const before = energies(samples);
  const energyAt = (start: number): number => (before[start + window] ?? 0) - (before[start] ?? 0);
  const track: number[] = [];
  for (let start = 0; start + window + longest < samples.length; start += window / 2) {
    const energy = energyAt(start);
    if (energy / window < 500 ** 2) {
      track.push(0);
      continue;
    }
    const peaks: number[] = [];
    for (let lag = start + shortest; lag < start + longest; lag += 1)
      peaks.push(product(samples, start, lag, window) / Math.sqrt(energy * energyAt(lag) + 1));
    const best = Math.max(...peaks);
    const first = peaks.findIndex(
      (value, at) => value >= 0.93 * best && value >= (peaks[at - 1] ?? -1) && value >= (peaks[at + 1] ?? -1),
    );
    track.push(best < 0.7 ? 0 : rate / (shortest + first + offset(peaks, first)));
  }
  return track;
}

/** The energy of all samples before each. */
function energies(samples: Float32Array): Float64Array {
  const sums = new Float64Array(samples.length + 1);
  for (let at = 0; at < samples.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (samples[at] ?? 0) ** 2;
  return sums;
}

/** The top of the parabola through a peak and its neighbours. */
function offset(peaks: readonly number[], at: number): number {
  const [left = 0, top = 0, right = 0] = [peaks[at - 1], peaks[at], peaks[at + 1]];
  const bend = left - 2 * top + right;
  return bend === 0 ? 0 : Math.max(-0.5, Math.min(0.5, (left - right) / (2 * bend)));
}

function product(samples: Float32Array, one: number, other: number, length: number): number {
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += (samples[one + at] ?? 0) * (samples[other + at] ?? 0);
  return sum;
}

const WINDOW = 1_024;
const HANN = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW),
);
const COS = Float64Array.from({ length: WINDOW / 2 }, (_, at) => Math.cos((-2 * Math.PI * at) / WINDOW));
const SIN = Float64Array.from({ length: WINDOW / 2 }, (_, at) => Math.sin((-2 * Math.PI * at) / WINDOW));
const BANDS = { lowest: 900, perOctave: 20, count: 56, width: 0.35 };

/** dB below 1 kHz relative to 1 to 5 kHz. */
export function slopeOf(pcm: Int16Array, rate: number): number {
  const power = spectrumOf(pcm);
  const [low, high] = [Math.round((1_000 * WINDOW) / rate), Math.round((5_000 * WINDOW) / rate)];
  const sum = (from: number, to: number): number =>
    power.subarray(from, to).reduce((total, value) => total + value, 1);
  return 10 * Math.log10(sum(0, low) / sum(low, high));
}

/** log2 of the power in bands of 0.7 octaves, wide enough to hide the harmonics of a high voice. */
export function envelopeOf(pcm: Int16Array, rate: number): Envelope {
  const power = spectrumOf(pcm);
  const bands = Array.from({ length: BANDS.count }, (_, band) => {
    const center = (BANDS.lowest * 2 ** (band / BANDS.perOctave) * WINDOW) / rate;
    const bins = power.subarray(
      Math.ceil(center * 2 ** -BANDS.width),
      Math.floor(center * 2 ** BANDS.width) + 1,
    );
    return Math.log2(bins.reduce((sum, value) => sum + value, 0) / bins.length + 1);
  });
  const middle = (bands.length - 1) / 2;
  const mean = bands.reduce((sum, value) => sum + value, 0) / bands.length;
  const slope =
    bands.reduce((sum, value, at) => sum + (at - middle) * value, 0) /
    bands.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return bands.map((value, at) => value - mean - slope * (at - middle));
}

/** The power of all windows together, by frequency. */
function spectrumOf(pcm: Int16Array): Float64Array {
  const power = new Float64Array(WINDOW / 2);
  const re = new Float64Array(WINDOW);
  const im = new Float64Array(WINDOW);
  for (let start = 0; start + WINDOW < pcm.length; start += WINDOW) {
    for (let at = 0; at < WINDOW; at += 1) re[at] = (pcm[start + at] ?? 0) * (HANN[at] ?? 0);
    im.fill(0);
    transform(re, im);
    for (let bin = 0; bin < power.length; bin += 1)
      power[bin] = (power[bin] ?? 0) + (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
  }
  return power;
}

/** By how many octaves the formants of `b` lie above those of `a`: the shift at which their spectra agree best. */
export function formantShift(a: Envelope, b: Envelope): number {
  const most = 10;
  const agreement = Array.from({ length: 2 * most + 1 }, (_, at) => correlation(a, b, at - most));
  const best = agreement.indexOf(Math.max(...agreement));
  return (best - most + offset(agreement, best)) / BANDS.perOctave;
}

function correlation(a: Envelope, b: Envelope, shift: number): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let at = Math.max(0, -shift); at < a.length - Math.max(0, shift); at += 1) {
    const [x, y] = [a[at] ?? 0, b[at + shift] ?? 0];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

/** The fast Fourier transform of Cooley and Tukey, in place. */
function transform(re: Float64Array, im: Float64Array): void {
  for (let at = 1, mirrored = 0; at < WINDOW; at += 1) {
    let bit = WINDOW >> 1;
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit;
    mirrored ^= bit;
    if (at < mirrored) {
      swap(re, at, mirrored);
      swap(im, at, mirrored);
    }
  }
  for (let size = 2; size <= WINDOW; size <<= 1)
    for (let step = 0; step < size / 2; step += 1) {
      const turn = (step * WINDOW) / size;
      const cos = COS[turn] ?? 0;
      const sin = SIN[turn] ?? 0;
      for (let low = step; low < WINDOW; low += size) {
        const high = low + size / 2;
        const x = (re[high] ?? 0) * cos - (im[high] ?? 0) * sin;
        const y = (re[high] ?? 0) * sin + (im[high] ?? 0) * cos;
        re[high] = (re[low] ?? 0) - x;
        im[high] = (im[low] ?? 0) - y;
        re[low] = (re[low] ?? 0) + x;
        im[low] = (im[low] ?? 0) + y;
      }
    }
}

function swap(values: Float64Array, one: number, other: number): void {
  const value = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = value;
}
