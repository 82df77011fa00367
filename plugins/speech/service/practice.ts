/**
 * Warms up the embedded engine before the server is ready. Node compiles lazily: the first sentence of a child takes
 * half a second, the sixth a tenth of it.
 */
import type { Logger } from 'plugboard/sdk';
import type { EmbeddedEngine } from '../engines/embedded/embedded.js';
import { PACKAGE } from '../engines/embedded/program.js';
import { EngineError } from '../engines/engine.js';
import { read } from '../reading/reading.js';
import { VOICES } from '../voices/voices.js';

const TEXT =
  '안녕하세요. 오늘은 하늘이 맑고 바람이 시원합니다. 다음 정거장은 어디입니까? 책과 꽃을 샀어요. 빨리 뛰어라! 읽고 쓰는 법을 배웁니다.';

/** The longest that the start waits for a warm engine. */
const LONGEST = 15_000;

export interface PracticeSettings {
  readonly engines: readonly string[];
  readonly embedded: { readonly workers: number; readonly warm: boolean };
}

/**
 * Resolves when the engine is as ready as the config wants it. Starts at once, in parallel with the set-up of other
 * plugins. A server whose engine cannot get ready serves all the same.
 */
export async function getReady(
  engine: EmbeddedEngine | undefined,
  { engines, embedded: { workers, warm } }: PracticeSettings,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  if (engine === undefined && engines.includes('embedded'))
    log.warn(`the embedded speech engine is not installed: npm install ${PACKAGE}`);
  if (engine === undefined || !warm) return;
  try {
    await practise(engine, workers, AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]));
  } catch (err) {
    log.warn({ err }, 'the speech engine was not made ready beforehand');
  }
}

/** Starts the children and lets each speak a few sentences, one at a time, so that a call waits for at most one. */
export async function practise(
  engine: Pick<EmbeddedEngine, 'warm' | 'speak'>,
  children: number,
  signal: AbortSignal,
): Promise<void> {
  const [voice] = VOICES;
  if (voice === undefined) return;
  try {
    engine.warm();
    const { sentences } = await read(TEXT);
    const speakAll = async (): Promise<void> => {
      for (const sentence of sentences) await engine.speak({ sentence, voice, speed: 1 }, signal);
    };
    await Promise.all(Array.from({ length: children }, speakAll));
  } catch (error) {
    // A call will report what is wrong with the engine.
    if (!signal.aborted && !(error instanceof EngineError)) throw error;
  }
}
