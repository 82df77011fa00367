/** Speech: Korean text to sound, charged against each key's seconds of the month. */
import {
  AUTH,
  CHANGES,
  CLOCK,
  definePlugin,
  ERRORS,
  RATE_LIMIT,
  Semaphore,
  SLOW_READERS,
  STORAGE,
} from 'plugboard/sdk';
import { Allowance } from './allowance/allowance.js';
import { Calls } from './allowance/calls.js';
import { MonthCalendar } from './allowance/month.js';
import { Plans } from './allowance/plans.js';
import { commands } from './commands.js';
import { Config } from './config.js';
import { configFaults } from './config-faults.js';
import { EmbeddedEngine } from './engines/embedded/embedded.js';
import { openEngines } from './engines/open-engines.js';
import { errors, tooBusy } from './errors.js';
import { peopleData } from './people.js';
import { Pronunciations } from './pronunciations/pronunciations.js';
import { routes } from './routes.js';
import { ClipCache } from './service/clip-cache.js';
import { getReady } from './service/practice.js';
import { Speaker } from './service/speaker.js';
import { SpeechService } from './service/speech.js';

/** Holds outlive their calls by this, so that only a dead process leaves one. */
const HOLD_MARGIN = 10_000;

export default definePlugin({
  name: 'speech',
  api: 1,
  summary: 'Korean text to speech in 71 voices, with an allowance a month',
  config: Config,
  configFaults,
  needs: { storage: STORAGE, auth: AUTH, clock: CLOCK, errors: ERRORS, readers: SLOW_READERS },
  wants: { limits: RATE_LIMIT, changes: CHANGES },
  scopes: { speech: 'speak, list voices and read the usage of the key' },
  exposedHeaders: ['x-audio-duration-seconds'],
  dialect: 'openai',
  invalid: ({ message, path }) => errors.invalid_request({ values: { message }, param: path || null }),
  setup({ config, needs, wants: { limits, changes }, baseDir, log, signal, onStop }) {
    const { storage, auth, clock, readers } = needs;
    const { pauses, timeZone, active, queue } = config;
    const engines = openEngines(config, baseDir);
    for (const engine of engines) onStop(() => engine.close());
    const engine = engines.find((one) => one instanceof EmbeddedEngine);
    const ready = getReady(engine, config, log, signal);
    const speaker = new Speaker(engines, pauses, (name, error) =>
      log.warn({ engine: name, failure: error.failure }, error.message),
    );
    onStop(() => speaker.close());
    const plans = new Plans(storage, config.monthlySeconds, changes);
    const calendar = new MonthCalendar(timeZone);
    const holdFor = config.timeout + HOLD_MARGIN;
    const parts = {
      allowance: new Allowance(storage, { plans, calendar, clock, holdFor, changes }),
      calls: new Calls(storage, clock),
      pronunciations: new Pronunciations(storage),
      gate: new Semaphore(active, { queue, full: () => tooBusy(queue) }),
      // One at a time: parallel readings would hold more memory, and each would finish later.
      readings: new Semaphore(1),
    };
    const cache = new ClipCache(clock, config.cacheBytes, config.cacheSeconds * 1_000);
    const speech = new SpeechService({ ...parts, speaker, engines, cache, clock, limits: config });
    return {
      pages: [
        {
          console: 1,
          id: 'speech',
          title: 'Speech',
          group: 'Models',
          scope: 'speech',
          module: new URL('./console/speech.page.js', import.meta.url),
        },
      ],
      routes: (app) =>
        routes(app, {
          ...parts,
          auth,
          limits,
          speech,
          plans,
          readers,
          engine,
          pauses,
          renderError: (error, request) => JSON.stringify(needs.errors.render(error, 'openai', request).body),
        }),
      people: peopleData(parts),
      start: () => ready,
      commands: commands(plans, auth.keys),
    };
  },
});
