/** A voice in the engine's terms: a variant file of eSpeak NG, and a rate for a speed. */
import type { Preset } from '../../dialects/contour.js';
import { TIMBRES, type Voice } from '../../voices/voices.js';

/** Places the median pitch of the speech at the voice's pitch. */
export function variantOf(voice: Voice, { span, middle }: Preset): string {
  const low = Math.round((2 * voice.pitch) / (1 + span) / middle);
  const high = Math.round(low * span);
  return [
    'language variant',
    `name ${voice.id}`,
    `gender ${voice.register === 'high' ? 'female' : 'male'}`,
    `pitch ${low} ${high}`,
    ...[1, 2, 3, 4, 5].map((formant) => `formant ${formant} ${voice.tract} 100 100`),
    `tone ${TIMBRES[voice.timbre]}`,
    ...(voice.breath > 0 ? [`breath ${[1, 2, 3, 4].map(() => voice.breath).join(' ')}`] : []),
    ...(voice.roughness > 0 ? [`roughness ${voice.roughness}`] : []),
    '',
  ].join('\n');
}

/** Speed relative to 160 words a minute, measured on a sentence of 16 syllables. */
const MEASURED: readonly (readonly [rate: number, speed: number])[] = [
  [80, 0.512],
  [100, 0.612],
  [120, 0.732],
  [140, 0.868],
  [160, 1],
  [180, 1.117],
  [200, 1.234],
  [240, 1.437],
  [280, 1.602],
  [320, 1.751],
  [360, 1.927],
  [400, 2.1],
  [450, 2.333],
];

/** The rate closest to a speed, and the remaining factor for time stretching. */
export function rateFor(speed: number): { rate: number; stretch: number } {
  const [slowest] = MEASURED;
  const fastest = MEASURED.at(-1);
  if (slowest === undefined || fastest === undefined) throw new Error('no rates');
  if (speed <= slowest[1]) return { rate: slowest[0], stretch: speed / slowest[1] };
  if (speed >= fastest[1]) return { rate: fastest[0], stretch: speed / fastest[1] };
  const above = MEASURED.findIndex(([, measured]) => measured > speed);
  const [rateLow, speedLow] = MEASURED[above - 1] ?? slowest;
  const [rateHigh, speedHigh] = MEASURED[above] ?? fastest;
  const share = (speed - speedLow) / (speedHigh - speedLow);
  return { rate: Math.round(rateLow + share * (rateHigh - rateLow)), stretch: 1 };
}
