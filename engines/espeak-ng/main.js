/**
 * The engine as a program. It reads jobs from standard input and answers each on standard output, in order.
 *
 * At the start: `{ ready: true, sampleRate }`, or `{ ready: false, code, message }` and exit code 78.
 * Job: `{ id, voice, variant, rate, clauses: [{ phonemes, end }] }`: `voice` names the `variant` (a voice variant
 * file of eSpeak NG), `rate` is in words a minute (80 to 450), `phonemes` are eSpeak NG's mnemonics, `end` is one of
 * `. , ? !`.
 * Answer: `{ id, clauses: [{ bytes, timing: [{ phoneme, at }] }] }`, or `{ id, error }`. The body is PCM (16 bits,
 * little-endian, mono), `bytes` of it for each clause; `at` is in milliseconds of its clause.
 */
import { frame, frames } from './frames.js';

const NOT_INSTALLED = 78;
const VARIANTS = '/usr/share/espeak-ng-data/voices/!v/';
/** The characters of a mnemonic: none closes the brackets or starts markup. */
const PHONEMES = /^[A-Za-z0-9@*;:|',^~# -]*$/;
const VARIANT_NAME = /^[a-z0-9-]{1,40}$/;
const ENDS = new Set(['.', ',', '?', '!']);

/** @param {object} header @param {Uint8Array} [body] */
const answer = (header, body) =>
  new Promise((resolve) => process.stdout.write(frame(header, body), () => resolve(undefined)));

const engine = await load();
if (engine !== undefined) {
  await answer({ ready: true, sampleRate: engine.worker.samplerate });
  for await (const job of frames(process.stdin)) {
    try {
      const spoken = speak(engine, job);
      const parts = spoken.map(({ timing, pcm }) => ({ bytes: pcm.length, timing }));
      await answer({ id: job.id, clauses: parts }, Buffer.concat(spoken.map(({ pcm }) => pcm)));
    } catch (error) {
      await answer({ id: job.id, error: String(error) });
    }
  }
}

async function load() {
  let start;
  try {
    start = (await import('@echogarden/espeak-ng-emscripten')).default;
  } catch (error) {
    await answer({ ready: false, code: 'not_installed', message: String(error) });
    process.exitCode = NOT_INSTALLED;
    return undefined;
  }
  const module = await start();
  const worker = await new module.eSpeakNGWorker();
  worker.set_voice('ko');
  return { module, worker, variants: new Map(), current: '' };
}

function speak(engine, { voice, variant, rate, clauses }) {
  const { module, worker, variants } = engine;
  if (!VARIANT_NAME.test(voice)) throw new Error('invalid voice name');
  if (variants.get(voice) !== variant) {
    module.FS.writeFile(VARIANTS + voice, variant);
    variants.set(voice, variant);
    engine.current = '';
  }
  if (engine.current !== voice) {
    if (worker.set_voice(`ko+${voice}`) !== 0) throw new Error('the engine refuses the voice');
    engine.current = voice;
  }
  worker.rate = rate;
  worker.pitch = 50;
  worker.range = 50;
  worker.volume = 90;

  return clauses.map((clause) => speakClause(worker, clause));
}

/** On its own, so that the pauses between clauses are the server's. */
function speakClause(worker, clause) {
  const chunks = [];
  const timing = [];
  worker.synthesize(clauseText(clause), (samples, events) => {
    if (samples) chunks.push(Buffer.from(new Int16Array(samples).buffer));
    for (const { type, id, audio_position: at } of events ?? [])
      if (type === 'phoneme' && id) timing.push({ phoneme: id, at });
    return false;
  });
  return { pcm: Buffer.concat(chunks), timing };
}

function clauseText({ phonemes, end }) {
  if (!PHONEMES.test(phonemes) || !ENDS.has(end)) throw new Error('invalid phonemes');
  return `[[${phonemes}]]${end}`;
}
