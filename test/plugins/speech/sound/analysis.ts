/** What can be measured of speech without listening: pitch, level, silence and the place of the formants. */

export interface Measured {
  /** Seconds. */
  readonly duration: number;
  /** Hz of each voiced frame, every 23 ms; 0 in the others. */
  readonly pitch: readonly number[];
  readonly medianPitch: number;
  /** Semitones between the 5th and the 95th percentile, of what lies within 9 of the median: further is another octave, taken by mistake. */
  readonly pitchRange: number;
  /** Root mean square of the parts that sound, in dB of full scale. */
  readonly level: number;
  readonly peak: number;
  /** Share of frames below -40 dB of full scale, and seconds before the first and behind the last that is not. */
  readonly silence: number;
  readonly lead: number;
  readonly tail: number;
  /** The long-term spectrum without its slope, for `formantShift`. */
  readonly envelope: readonly number[];
}

const FRAME = 512;

export function measure(pcm: Int16Array, sampleRate: number): Measured {
  const pitch = pitchTrack(decimate(pcm, 4), sampleRate / 4);
  const voiced = pitch.filter((hz) => hz > 0).sort((a, b) => a - b);
  const medianPitch = percentile(voiced, 0.5);
  const oneOctave = voiced.filter((hz) => Math.abs(12 * Math.log2(hz / medianPitch)) < 9);
  const loud = Array.from({ length: Math.floor(pcm.length / FRAME) }, (_, frame) =>
    rms(pcm.subarray(frame * FRAME, (frame + 1) * FRAME)),
  ).map((level) => level > 0.01);
  const sounding = pcm.filter((sample) => Math.abs(sample) >= 200);
  return {
    duration: pcm.length / sampleRate,
    pitch,
    medianPitch,
    pitchRange: 12 * Math.log2(percentile(oneOctave, 0.95) / percentile(oneOctave, 0.05)),
    level: 20 * Math.log10(rms(sounding)),
    peak: pcm.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 32_768,
    silence: loud.filter((isLoud) => !isLoud).length / loud.length,
    lead: (loud.indexOf(true) * FRAME) / sampleRate,
    tail: ((loud.length - 1 - loud.lastIndexOf(true)) * FRAME) / sampleRate,
    envelope: envelope(pcm, sampleRate),
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

function rms(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length)) / 32_768;
}

function decimate(pcm: Int16Array, factor: number): Float32Array {
  return Float32Array.from({ length: Math.floor(pcm.length / factor) }, (_, at) => {
    let sum = 0;
    for (let part = 0; part < factor; part += 1) sum += pcm[at * factor + part] ?? 0;
    return sum / factor;
  });
}

/** The first strong peak of the normalised autocorrelation, from 60 to 420 Hz. */
function pitchTrack(samples: Float32Array, rate: number): number[] {
  const window = 256;
  const shortest = Math.floor(rate / 420);
  const longest = Math.ceil(rate / 60);
  const track: number[] = [];
  for (let start = 0; start + window + longest < samples.length; start += window / 2) {
    const energy = product(samples, start, start, window);
    if (energy / window < 500 ** 2) {
      track.push(0);
      continue;
    }
    const peaks = Array.from({ length: longest - shortest }, (_, at) => {
      const lag = start + shortest + at;
      return (
        product(samples, start, lag, window) / Math.sqrt(energy * product(samples, lag, lag, window) + 1)
      );
    });
    const best = Math.max(...peaks);
    const first = peaks.findIndex(
      (value, at) => value >= 0.93 * best && value >= (peaks[at - 1] ?? -1) && value >= (peaks[at + 1] ?? -1),
    );
    track.push(best < 0.7 ? 0 : rate / (shortest + first + offset(peaks, first)));
  }
  return track;
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
const BANDS = { lowest: 900, perOctave: 20, count: 56, width: 0.35 };

/** log2 of the power in bands of 0.7 octaves, wide enough to hide the harmonics of a high voice. */
function envelope(pcm: Int16Array, rate: number): number[] {
  const power = new Float64Array(WINDOW / 2);
  for (let start = 0; start + WINDOW < pcm.length; start += WINDOW) {
    const re = Float64Array.from({ length: WINDOW }, (_, at) => (pcm[start + at] ?? 0) * hann(at));
    const im = new Float64Array(WINDOW);
    transform(re, im);
    for (let bin = 0; bin < power.length; bin += 1)
      power[bin] = (power[bin] ?? 0) + (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
  }
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

/** By how many octaves the formants of `b` lie above those of `a`: the shift at which their spectra agree best. */
export function formantShift(a: Measured, b: Measured): number {
  const most = 10;
  const agreement = Array.from({ length: 2 * most + 1 }, (_, at) =>
    correlation(a.envelope, b.envelope, at - most),
  );
  const best = agreement.indexOf(Math.max(...agreement));
  return (best - most + offset(agreement, best)) / BANDS.perOctave;
}

function correlation(a: readonly number[], b: readonly number[], shift: number): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let at = Math.max(0, -shift); at < a.length - Math.max(0, shift); at += 1) {
    const [x, y] = [a[at] ?? 0, b[at + shift] ?? 0];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

function hann(at: number): number {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW);
}

/** The fast Fourier transform of Cooley and Tukey, in place. */
function transform(re: Float64Array, im: Float64Array): void {
  const length = re.length;
  for (let at = 1, mirrored = 0; at < length; at += 1) {
    let bit = length >> 1;
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit;
    mirrored ^= bit;
    if (at < mirrored) {
      [re[at], re[mirrored]] = [re[mirrored] ?? 0, re[at] ?? 0];
      [im[at], im[mirrored]] = [im[mirrored] ?? 0, im[at] ?? 0];
    }
  }
  for (let size = 2; size <= length; size <<= 1)
    for (let step = 0; step < size / 2; step += 1) {
      const [cos, sin] = [Math.cos((-2 * Math.PI * step) / size), Math.sin((-2 * Math.PI * step) / size)];
      for (let low = step; low < length; low += size) {
        const high = low + size / 2;
        const x = (re[high] ?? 0) * cos - (im[high] ?? 0) * sin;
        const y = (re[high] ?? 0) * sin + (im[high] ?? 0) * cos;
        [re[high], im[high]] = [(re[low] ?? 0) - x, (im[low] ?? 0) - y];
        [re[low], im[low]] = [(re[low] ?? 0) + x, (im[low] ?? 0) + y];
      }
    }
}
