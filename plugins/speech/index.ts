/** Speech: Korean text to sound, charged against each key's seconds of the month. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AUTH, CHANGES, CLOCK, definePlugin, RATE_LIMIT, Semaphore, STORAGE } from 'plugboard/sdk';
import { Allowance } from './allowance/allowance.js';
import { MonthCalendar } from './allowance/month.js';
import { Plans } from './allowance/plans.js';
import { commands } from './commands.js';
import { EmbeddedEngine, isInstalled, PACKAGE } from './engines/embedded/embedded.js';
import { openEngines } from './engines/open-engines.js';
import { errors, tooBusy } from './errors.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { ClipCache } from './service/clip-cache.js';
import { practise } from './service/practice.js';
import { Speaker } from './service/speaker.js';
import { configFaults } from './config-faults.js';
import { SpeechService } from './service/speech.js';
import { peopleData } from './people.js';

/** The engine is a package of its own, beside the compiled project. */
const PROGRAM = fileURLToPath(new URL('../../../engines/espeak-ng/main.js', import.meta.url));
/** A hold outlives its call by this, so that only a dead process leaves one behind. */
const HOLD_MARGIN = 10_000;
/** The start waits no longer for an engine that is to be warm. */
const PRACTICE = 15_000;

export default definePlugin({
  name: 'speech',
  api: 1,
  summary: 'Korean text to speech in 71 voices, with an allowance a month',
  config: Config,
  configFaults,
  needs: { storage: STORAGE, auth: AUTH, clock: CLOCK },
  wants: { limits: RATE_LIMIT, changes: CHANGES },
  scopes: { speech: 'speak, list voices and read the usage of the key' },
  exposedHeaders: ['x-audio-duration-seconds'],
  dialect: 'openai',
  invalid: ({ message, path }) => errors.invalid_request({ values: { message }, param: path || null }),
  setup({
    config,
    needs: { storage, auth, clock },
    wants: { limits, changes },
    baseDir,
    log,
    signal,
    onStop,
  }) {
    const { program } = config.embedded;
    const engines = openEngines(config, program === undefined ? PROGRAM : resolve(baseDir, program));
    for (const engine of engines) onStop(() => engine.close());
    const plans = new Plans(storage, config.monthlySeconds, changes);
    const calendar = new MonthCalendar(config.timeZone);
    const allowance = new Allowance(storage, {
      plans,
      calendar,
      clock,
      holdFor: config.timeout + HOLD_MARGIN,
      changes,
    });
    const gate = new Semaphore(config.active, { queue: config.queue, full: () => tooBusy(config.queue) });
    const speaker = new Speaker(engines, config.pauses, (engine, error) =>
      log.warn({ engine, failure: error.failure }, error.message),
    );
    onStop(() => speaker.close());
    const cache = new ClipCache(clock, config.cacheBytes, config.cacheSeconds * 1_000);
    // One after another: many at a time hold no more memory than one, and each is whole as early as it can be.
    const readings = new Semaphore(1);
    const speech = new SpeechService({
      allowance,
      speaker,
      engines,
      gate,
      cache,
      clock,
      readings,
      limits: config,
    });
    const embedded = engines.find((engine) => engine instanceof EmbeddedEngine);
    const lacksPackage = embedded !== undefined && program === undefined && !isInstalled(PROGRAM);
    // Begun here, so that it goes on while other plugins are set up. A server that cannot get ready beforehand serves all the same.
    const practised =
      embedded === undefined || lacksPackage || !config.embedded.warm
        ? Promise.resolve()
        : practise(
            embedded,
            config.embedded.workers,
            AbortSignal.any([signal, AbortSignal.timeout(PRACTICE)]),
          ).catch((err: unknown) => log.warn({ err }, 'the speech engine was not made ready beforehand'));
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
          auth,
          limits,
          speech,
          allowance,
          plans,
          gate,
          readings,
          engine: embedded,
          pauses: config.pauses,
        }),
      people: peopleData(allowance),
      start: async () => {
        if (lacksPackage) log.warn(`the embedded speech engine is not installed: npm install ${PACKAGE}`);
        await practised;
      },
      commands: commands(plans, auth.keys),
    };
  },
});
