/** The front end's steps for a text, for people who ask why it is read that way. */
import { isServiceError, nextTurn, turnIsOver, type Semaphore } from 'plugboard/sdk';
import { PRESETS, type Preset } from '../dialects/contour.js';
import { phonemesOf } from '../engines/embedded/phonemes.js';
import { EngineError, type Engine, type PhonemeTime } from '../engines/engine.js';
import type { Reading, SpokenSentence } from '../reading/reading.js';
import type { ExplainInput, ExplanationAnswer } from '../schema.js';
import type { Pauses } from '../audio/pauses.js';
import { speakSentences } from './sentences.js';
import type { SpeechService } from './speech.js';

export interface ExplainParts {
  readonly speech: SpeechService;
  readonly engine: Engine | undefined;
  readonly gate: Semaphore;
  readonly readings: Semaphore;
  readonly pauses: Pauses;
}

/** Syllables: longer texts are explained without timing, as speaking takes long. */
const MOST_TIMED = 600;

/** Speaks the text for its timing, with the same parts as a call, and discards the sound: nothing is charged. */
export async function explain(
  { speech, engine, gate, readings, pauses }: ExplainParts,
  owner: string,
  body: ExplainInput,
  signal: AbortSignal,
): Promise<ExplanationAnswer> {
  const { reading, voice } = await speech.prepare(owner, body);
  const preset = PRESETS[voice.dialect];
  const time = async (): Promise<(readonly PhonemeTime[])[]> => {
    const timings: (readonly PhonemeTime[])[] = [];
    if (engine === undefined || reading.syllables > MOST_TIMED) return timings;
    const job = { reading, voice, speed: body.speed };
    for await (const { timing } of speakSentences(engine, job, pauses, signal)) timings.push(timing);
    return timings;
  };
  const timings = await orNone(gate.run(time, { signal }));
  return {
    input: body.input,
    normalised: reading.normalised,
    changes: [...reading.changes],
    dialect: voice.dialect,
    sentences: await readings.run(() => explained(reading, preset, timings)),
  };
}

async function explained(
  { sentences }: Reading,
  preset: Preset,
  timings: readonly (readonly PhonemeTime[])[],
): Promise<ExplanationAnswer['sentences']> {
  const all: ExplanationAnswer['sentences'] = [];
  for (const [at, sentence] of sentences.entries()) {
    all.push({
      text: sentence.text,
      pronunciation: pronunciationOf(sentence),
      words: sentence.clauses.flatMap(({ words }) =>
        words.map(({ written, spoken, changes }) => ({ written, spoken, changes: [...changes] })),
      ),
      phonemes: sentence.clauses
        .map((clause) => phonemesOf(clause, preset))
        .map(({ phonemes, end }) => phonemes + end)
        .join(' '),
      timing: timingOf(timings[at]),
    });
    if (turnIsOver()) await nextTurn();
  }
  return all;
}

/** Without timing if the engine is busy or fails. */
async function orNone(timings: Promise<(readonly PhonemeTime[])[]>) {
  try {
    return await timings;
  } catch (error) {
    if (error instanceof EngineError || isServiceError(error)) return [];
    throw error;
  }
}

function pronunciationOf({ clauses }: SpokenSentence): string {
  return clauses.map(({ words, end }) => words.map(({ spoken }) => spoken).join(' ') + end).join(' ');
}

function timingOf(timing: readonly PhonemeTime[] | undefined): PhonemeTime[] | null {
  return timing === undefined || timing.length === 0 ? null : [...timing];
}
