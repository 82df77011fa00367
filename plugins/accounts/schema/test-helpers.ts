/** Request bodies of the test helpers. */
import { Type } from 'plugboard/sdk';
import { PlatformSettings } from './config.js';
import { Fixture, FIXTURE_KINDS, type FixtureKind } from './fixture.js';

export const TestClockBody = Type.Object(
  {
    frozen_time: Type.String({ format: 'date-time' }),
    name: Type.Optional(Type.String({ maxLength: 300 })),
  },
  { title: 'TestClock', examples: [{ frozen_time: '2026-01-31T09:00:00Z' }], additionalProperties: false },
);

export const AdvanceBody = Type.Object(
  { frozen_time: Type.String({ format: 'date-time' }) },
  {
    title: 'TestClockAdvance',
    examples: [{ frozen_time: '2026-03-31T09:00:00Z' }],
    additionalProperties: false,
  },
);

export const FixtureBody = Fixture;

export const FixtureName = Type.Object({
  kind: Type.Unsafe<FixtureKind>({ type: 'string', enum: [...FIXTURE_KINDS] }),
  id: Type.String(),
});

/** Any of the platform settings; omitted ones are as in the config. */
export const PlatformBody = Type.Unsafe<Record<string, unknown>>({
  ...withoutDefaults(Type.Partial(PlatformSettings, { additionalProperties: false })),
  title: 'AccountPlatform',
  examples: [{ status: 'rejected' }],
});

/** A default would set what the caller omitted. */
function withoutDefaults(schema: unknown): object {
  if (Array.isArray(schema)) return schema.map(withoutDefaults);
  if (typeof schema !== 'object' || schema === null) return schema as unknown as object;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== 'default' && !(name === 'required' && Array.isArray(value)))
      .map(([name, value]) => [name, withoutDefaults(value)]),
  );
}

export const TestClock = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('test_helpers.test_clock'),
    accounts: Type.Integer(),
    created: Type.String({ format: 'date-time' }),
    frozen_time: Type.String({ format: 'date-time' }),
    livemode: Type.Literal(false),
    name: Type.Union([Type.String(), Type.Null()]),
    status: Type.Unsafe<string>({ type: 'string', enum: ['ready', 'advancing'] }),
  },
  { title: 'TestClock' },
);

export const TestClockList = Type.Object({ data: Type.Array(TestClock) });
export const FixtureList = Type.Object({ data: Type.Array(Fixture) });
