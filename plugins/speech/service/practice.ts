/**
 * Makes the embedded engine ready before the server is. Node compiles what a child runs as it
 * runs: the first sentence of a child takes half a second, the sixth a tenth of it.
 */
import type { EmbeddedEngine } from '../engines/embedded/embedded.js';
import { EngineError } from '../engines/engine.js';
import { read } from '../reading/reading.js';
import { VOICES } from '../voices/voices.js';

const TEXT =
  '안녕하세요. 오늘은 하늘이 맑고 바람이 시원합니다. 다음 정거장은 어디입니까? 책과 꽃을 샀어요. 빨리 뛰어라! 읽고 쓰는 법을 배웁니다.';

/** Starts the children and lets each speak a few sentences: one at a time, so that a call waits for one at most. */
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
    // A call will say what is wrong with the engine.
    if (!signal.aborted && !(error instanceof EngineError)) throw error;
  }
}
