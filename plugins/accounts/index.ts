/** Accounts: customers, merchants and recipients, for clients of the accounts v2 interface. */
import { AUTH, CHANGES, CLOCK, definePlugin, SECRETS, STORAGE } from 'plugboard/sdk';
import { SharedSlots } from './concurrency/shared-slots.js';
import { slots as slotsOf } from './concurrency/slots.js';
import { errors } from './errors/errors.js';
import { Destinations } from './events/destinations.js';
import { EventLog } from './events/event-log.js';
import { thinEvents } from './events/form.js';
import { Fixtures } from './fixtures/fixtures.js';
import { Onboarding } from './hosted/onboarding.js';
import { hostedRoutes } from './hosted/routes.js';
import { IdempotencyRecords } from './idempotency/records.js';
import { Persons } from './service/persons.js';
import { PersonStore } from './persons/store.js';
import { Links } from './links/links.js';
import { LinkStore } from './links/store.js';
import { Overrides } from './platform/overrides.js';
import { Platforms } from './platform/platforms.js';
import { coreRoutes } from './routes/core.js';
import { eventRoutes } from './routes/events.js';
import { linkRoutes } from './routes/links.js';
import { personRoutes } from './routes/persons.js';
import { addAnswerHeaders } from './routes/request.js';
import { testHelperRoutes } from './routes/test-helpers.js';
import { clients } from './routes/unknown.js';
import { Config } from './schema/config.js';
import { Accounts } from './service/accounts.js';
import { putFixture } from './service/fixtures.js';
import { Judge } from './service/judge.js';
import { AccountStore } from './service/store.js';
import { Renewal } from './service/renewal.js';
import { TokenService } from './service/tokens.js';
import { AccountWrites } from './service/writes.js';
import { TestClocks } from './test-clocks/test-clocks.js';
import { AccountTokens } from './tokens/account-tokens.js';

export default definePlugin({
  name: 'accounts',
  api: 1,
  summary: 'accounts of customers, merchants and recipients, with every error of the interface',
  config: Config,
  needs: { storage: STORAGE, auth: AUTH, clock: CLOCK, secrets: SECRETS },
  wants: { changes: CHANGES },
  scopes: {
    accounts: 'create, update, read and close accounts',
    'accounts:test': 'test helpers of accounts: fixtures, test clocks, settings of the platform',
  },
  exposedHeaders: ['request-id', 'idempotent-replayed', 'service-version', 'stripe-version'],
  dialect: 'v2',
  clients,
  invalid: ({ message }) => errors.invalid_fields({ values: { message: shortened(message) } }),
  setup({ config, needs: { storage, auth, clock, secrets }, wants: { changes }, log, signal }) {
    const { defaultVersion, limits, testClockAdvance } = config;
    const overrides = new Overrides(storage);
    const platforms = new Platforms(config.platforms, config.defaultPlatform, overrides);
    const slots = slotsOf(limits.concurrency);
    // A store in a folder has one instance, which counts in memory.
    const writeSlots =
      storage.directory === undefined ? new SharedSlots(storage, clock, limits.concurrency) : slots;
    const creations = slotsOf(limits.creations);
    const testClocks = new TestClocks(storage, clock, {
      accounts: limits.testClockAccounts,
      advance: testClockAdvance,
    });
    const store = new AccountStore(storage);
    const records = new IdempotencyRecords(storage, clock, secrets);
    const tokens = new AccountTokens(storage, clock, secrets);
    const fixtures = new Fixtures(storage);
    const events = new EventLog(storage, changes, clock);
    const endpoints = changes?.own(thinEvents);
    const stored = { store, tokens, fixtures, testClocks, persons: new PersonStore(storage, secrets) };
    const judge = new Judge({ clock, secrets, ...stored });
    const parts = { ...stored, storage, clock, secrets, records, events, judge, writeSlots };
    const writes = new AccountWrites(parts);
    const accounts = new Accounts({ ...parts, writes, slots, creations });
    const persons = new Persons({ ...parts, writes });
    const linkStore = new LinkStore(storage, clock, config.accountLinkMinutes);
    const links = new Links({ ...parts, links: linkStore });
    const onboarding = new Onboarding({
      ...parts,
      links: linkStore,
      platforms,
      accounts,
      persons,
      personStore: parts.persons,
    });
    const tokenService = new TokenService(tokens, records);
    const renewal = new Renewal(storage, store);
    return {
      routes: (app) => {
        addAnswerHeaders(app, defaultVersion);
        coreRoutes(app, { auth, platforms, accounts, store, tokens: tokenService, defaultVersion });
        personRoutes(app, { auth, platforms, persons, tokens: tokenService, defaultVersion });
        linkRoutes(app, { auth, platforms, links, defaultVersion });
        hostedRoutes(app, { links: linkStore, onboarding });
        if (endpoints !== undefined) {
          const destinations = new Destinations({ endpoints, log: events, storage, clock });
          eventRoutes(app, { auth, platforms, log: events, destinations, defaultVersion });
        }
        testHelperRoutes(app, { auth, platforms, overrides, fixtures, tokens, testClocks });
      },
      pages: [
        {
          console: 1,
          id: 'accounts',
          title: 'Accounts',
          group: 'Services',
          scope: 'accounts',
          module: new URL('./console/accounts.page.js', import.meta.url),
        },
      ],
      start: async () => {
        for (const [id, platform] of Object.entries(config.platforms))
          for (const fixture of platform.fixtures) await putFixture({ fixtures, tokens }, id, fixture);
        void overrides.follow({ log, signal });
        void renewal.run(signal).catch((error: unknown) => {
          if (!signal.aborted)
            log.warn({ err: error }, 'older accounts are not searched by address until the next start');
        });
      },
    };
  },
});

/** Lists of allowed values have up to 150 names. */
function shortened(message: string): string {
  return message.length <= 400 ? message : `${message.slice(0, 400)}...`;
}
