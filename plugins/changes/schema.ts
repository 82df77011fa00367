/** The config, and the requests and responses of the routes. */
import { Type, type Static } from 'plugboard/sdk';

const closed = { additionalProperties: false } as const;

export const Config = Type.Object(
  {
    allowPrivate: Type.Boolean({
      default: false,
      description: 'whether endpoints may have loopback and private addresses',
    }),
    maxEndpoints: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 50,
      description:
        'endpoints of the operator at most, and as many of each group of a plugin (a platform, a repository)',
    }),
    poll: Type.Integer({
      minimum: 10,
      maximum: 60_000,
      default: 500,
      description: 'milliseconds between two looks for what is due',
    }),
  },
  closed,
);

const Url = Type.String({ minLength: 1, maxLength: 2_000 });
const Types = Type.Array(
  Type.String({ pattern: '^(?:[A-Za-z0-9_.\\[\\]-]{1,200}|[A-Za-z0-9_.\\[\\]-]{0,199}\\*)$' }),
  {
    minItems: 1,
    maxItems: 50,
    description: 'types of changes: exact ones, `v2.core.*`, or `*`',
  },
);
const Description = Type.String({ maxLength: 500 });

export const NewEndpoint = Type.Object(
  { url: Url, types: Types, description: Type.Optional(Description) },
  {
    ...closed,
    title: 'Endpoint',
    examples: [{ url: 'https://example.com/hook', types: ['v2.core.account.*'] }],
  },
);
export type NewEndpoint = Static<typeof NewEndpoint>;

export const NewListener = Type.Object(
  { types: Types },
  { ...closed, title: 'Listener', examples: [{ types: ['events.*'] }] },
);

export const Pending = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      subject: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    }),
  ),
});

export const Confirmed = Type.Object(
  { deliveries: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 }) },
  { ...closed, title: 'Confirmed', examples: [{ deliveries: ['3e0f...'] }] },
);

export const EndpointChange = Type.Object(
  {
    url: Type.Optional(Url),
    types: Type.Optional(Types),
    description: Type.Optional(Description),
    paused: Type.Optional(Type.Boolean()),
  },
  { ...closed, title: 'EndpointChange', examples: [{ paused: true }] },
);
export type EndpointChange = Static<typeof EndpointChange>;

const endpoint = {
  id: Type.String(),
  url: Type.String({ description: 'empty for one that asks for its changes itself' }),
  types: Type.Array(Type.String()),
  description: Type.String(),
  paused: Type.Boolean(),
  paused_because: Type.Union([Type.String(), Type.Null()]),
  managed_by: Type.Union([Type.String(), Type.Null()], {
    description: 'the plugin under whose routes it was made; null for those that were made here',
  }),
  created_at: Type.String(),
};
export const Endpoint = Type.Object(endpoint, { title: 'Endpoint' });
export const EndpointList = Type.Object({ endpoints: Type.Array(Endpoint) });
export const CreatedEndpoint = Type.Object({
  ...endpoint,
  secret: Type.String({ description: 'what signatures are made with; it is told here alone' }),
});

export const Delivery = Type.Object(
  {
    id: Type.String(),
    endpoint: Type.String(),
    change: Type.String({ description: 'the id of the change, `webhook-id`' }),
    type: Type.String(),
    subject: Type.String(),
    state: Type.String({ description: '`waiting`, `held`, `delivered` or `dead`' }),
    attempts: Type.Integer(),
    created_at: Type.String(),
    due_at: Type.Union([Type.String(), Type.Null()]),
    last: Type.Union([
      Type.Object({
        at: Type.String(),
        status: Type.Union([Type.Integer(), Type.Null()]),
        error: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ]),
  },
  { title: 'Delivery' },
);
export const DeliveryList = Type.Object({ deliveries: Type.Array(Delivery) });

export const Id = Type.Object({ id: Type.String() });
export const DeliveryQuery = Type.Object({
  endpoint: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(
    Type.Union(['waiting', 'held', 'delivered', 'dead'].map((state) => Type.Literal(state))),
  ),
});
