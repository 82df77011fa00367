/**
 * Makes the embedded engine ready while the server has nothing else to do. Node compiles what a child runs as it
 * runs: the first sentence of a child takes half a second, the sixth a tenth of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedEngine } from '../engines/embedded/embedded.js';
import { EngineError } from '../engines/engine.js';
import { read } from '../reading/reading.js';
import { VOICES } from '../voices/voices.js';

/** Milliseconds behind the start, which has the processors first: until the children are started, and from then on. */
const PAUSES = { start: 1_000, speak: 4_000 };
const TEXT =
  '안녕하세요. 오늘은 하늘이 맑고 바람이 시원합니다. 다음 정거장은 어디입니까? 책과 꽃을 샀어요. 빨리 뛰어라! 읽고 쓰는 법을 배웁니다.';

/** Starts the children, then lets each speak a few sentences: one at a time, so that a call waits for one at most. */
export async function practise(
  engine: Pick<EmbeddedEngine, 'warm' | 'speak'>,
  children: number,
  signal: AbortSignal,
  pauses = PAUSES,
): Promise<void> {
  const [voice] = VOICES;
  if (voice === undefined) return;
  try {
    await sleep(pauses.start, undefined, { signal });
    engine.warm();
    await sleep(pauses.speak, undefined, { signal });
    const { sentences } = await read(TEXT);
    const speakAll = async (): Promise<void> => {
      for (const sentence of sentences) await engine.speak({ sentence, voice, speed: 1 }, signal);
    };
    await Promise.all(Array.from({ length: children }, speakAll));
  } catch (error) {
    // A call will say what is wrong with the engine.
    if (!signal.aborted && !(error instanceof EngineError)) throw error;
  }
}
