/** Test helpers, in test mode only: what accounts may refer to, time, and the platform's settings. */
import { Type, type Auth, type Request, type Routes } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { Overrides, PartialSettings } from '../platform/overrides.js';
import type { Platforms } from '../platform/platforms.js';
import { AccountId } from '../schema/bodies.js';
import {
  AdvanceBody,
  FixtureBody,
  FixtureList,
  FixtureName,
  PlatformBody,
  TestClock,
  TestClockBody,
  TestClockList,
} from '../schema/test-helpers.js';
import type { TestClock as Clock, TestClocks } from '../test-clocks/test-clocks.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import { putFixture } from '../service/fixtures.js';
import { platformOf, testAccess } from './request.js';

export interface TestHelperParts {
  readonly auth: Auth;
  readonly platforms: Platforms;
  readonly overrides: Overrides;
  readonly fixtures: Fixtures;
  readonly tokens: AccountTokens;
  readonly testClocks: TestClocks;
}

export function testHelperRoutes(app: Routes, parts: TestHelperParts): void {
  const { auth, platforms, overrides, fixtures, tokens, testClocks } = parts;
  const onRequest = [auth.guard('bearer', { scope: 'accounts:test' }), testAccess(auth, platforms)];
  const idOf = (request: Request): string => platformOf(request).id;
  const clocks = '/v2/test_helpers/test_clocks';

  app.post(
    clocks,
    {
      onRequest,
      schema: { summary: 'Create a test clock', body: TestClockBody, response: { 200: TestClock } },
    },
    async (request) =>
      shownClock(
        await testClocks.create(
          idOf(request),
          frozenTime(request.body.frozen_time),
          request.body.name ?? null,
        ),
      ),
  );

  app.get(
    clocks,
    { onRequest, schema: { summary: 'List the test clocks', response: { 200: TestClockList } } },
    async (request) => ({
      data: (await testClocks.list(idOf(request))).map(shownClock),
    }),
  );

  app.get(
    `${clocks}/:id`,
    { onRequest, schema: { summary: 'Read a test clock', params: AccountId, response: { 200: TestClock } } },
    async (request) =>
      shownClock((await testClocks.find(idOf(request), request.params.id)) ?? noClock(request.params.id)),
  );

  app.post(
    `${clocks}/:id/advance`,
    {
      onRequest,
      schema: {
        summary: 'Advance a test clock to a later time',
        params: AccountId,
        body: AdvanceBody,
        response: { 200: TestClock },
      },
    },
    async (request) => {
      const { id } = request.params;
      const advanced = await testClocks.advance(idOf(request), id, frozenTime(request.body.frozen_time));
      if (advanced === 'unknown') return shownClock(noClock(id));
      if (advanced === 'advancing')
        throw new Refused({
          code: 'test_clocks_advance_in_progress',
          message: `the test clock "${id}" is advancing`,
        });
      if (advanced === 'not_forward')
        throw new Refused({
          code: 'invalid_fields',
          message: 'frozen_time must be later than that of the clock',
        });
      return shownClock(advanced);
    },
  );

  const registry = '/v2/test_helpers/fixtures';

  app.post(
    registry,
    {
      onRequest,
      schema: {
        summary: 'Put a fixture that accounts may refer to',
        body: FixtureBody,
        response: { 200: FixtureBody },
      },
    },
    async (request) => {
      await putFixture({ fixtures, tokens }, idOf(request), request.body);
      return request.body;
    },
  );

  app.get(
    registry,
    { onRequest, schema: { summary: 'List the fixtures', response: { 200: FixtureList } } },
    async (request) => ({
      data: await fixtures.list(idOf(request)),
    }),
  );

  app.delete(
    `${registry}/:kind/:id`,
    { onRequest, schema: { summary: 'Remove a fixture', params: FixtureName, response: { 200: Deleted } } },
    async (request) => {
      const { kind, id } = request.params;
      if (!(await fixtures.remove(idOf(request), kind, id)))
        throw new Refused({ code: 'not_found', message: `there is no ${kind} "${id.slice(0, 200)}"` });
      return { deleted: true };
    },
  );

  const platform = '/v2/test_helpers/platform';

  app.get(
    platform,
    { onRequest, schema: { summary: 'Read the settings of the platform' } },
    async (request) => ({ settings: platformOf(request).settings }),
  );

  app.post(
    platform,
    { onRequest, schema: { summary: 'Set some settings of the platform', body: PlatformBody } },
    async (request) => {
      await overrides.set(idOf(request), request.body as PartialSettings);
      return { settings: (await platforms.of(auth.principal(request))).settings };
    },
  );

  app.delete(
    platform,
    { onRequest, schema: { summary: "Go back to the config's settings of the platform" } },
    async (request) => {
      await overrides.clear(idOf(request));
      return { settings: (await platforms.of(auth.principal(request))).settings };
    },
  );
}

const Deleted = Type.Object({ deleted: Type.Boolean() });

/** The format allows second 60, and years that answers cannot show. */
function frozenTime(text: string): Date {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  if (year >= 1900 && year < 3000) return time;
  throw new Refused({
    code: 'invalid_fields',
    message: 'frozen_time must be a time of the years 1900 to 2999',
  });
}

function noClock(id: string): never {
  throw new Refused({ code: 'not_found', message: `there is no test clock "${id.slice(0, 200)}"` });
}

function shownClock({ id, name, created, frozenTime, status, accounts }: Clock) {
  return {
    id,
    object: 'test_helpers.test_clock' as const,
    accounts,
    created: created.toISOString(),
    frozen_time: frozenTime.toISOString(),
    livemode: false as const,
    name,
    status,
  };
}
