/** Requests and responses of the hook routes. */
import { Type, type Static } from 'plugboard/sdk';

const Url = Type.String({ minLength: 1, maxLength: 2_000 });

/** Clients also send other members, which are ignored. */
const config = {
  content_type: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('form')], { description: '`form` by default' }),
  ),
  secret: Type.Optional(
    Type.String({ maxLength: 500, description: 'signs what is sent; shown never again' }),
  ),
  insecure_ssl: Type.Optional(
    Type.Union([Type.Literal('0'), Type.Literal(0)], { description: 'certificates are always verified' }),
  ),
};
const NewConfig = Type.Object({ url: Url, ...config });
export type NewConfig = Static<typeof NewConfig>;

export const ConfigChange = Type.Object(
  { url: Type.Optional(Url), ...config },
  { title: 'HookConfigChange', examples: [{ content_type: 'json' }] },
);
export type ConfigChange = Static<typeof ConfigChange>;

const Events = Type.Array(Type.String({ pattern: '^(?:[a-z_]{1,100}|\\*)$' }), {
  minItems: 1,
  maxItems: 50,
  description: 'names such as `push` and `issues`, or `*`',
});

export const NewHook = Type.Object(
  {
    name: Type.Optional(Type.Literal('web')),
    config: NewConfig,
    events: Type.Optional(Events),
    active: Type.Optional(Type.Boolean()),
  },
  {
    title: 'NewHook',
    examples: [
      {
        config: { url: 'https://example.com/hook', content_type: 'json', secret: 'a secret' },
        events: ['push', 'issues'],
      },
    ],
  },
);
export type NewHook = Static<typeof NewHook>;

export const HookChange = Type.Object(
  {
    config: Type.Optional(NewConfig),
    events: Type.Optional(Events),
    add_events: Type.Optional(Events),
    remove_events: Type.Optional(Events),
    active: Type.Optional(Type.Boolean()),
  },
  { title: 'HookChange', examples: [{ active: false }] },
);
export type HookChange = Static<typeof HookChange>;

export const HookConfig = Type.Object({
  url: Type.String(),
  content_type: Type.String(),
  insecure_ssl: Type.String(),
  secret: Type.Optional(Type.String({ description: '`********` where there is one' })),
});

export const Hook = Type.Object(
  {
    type: Type.String(),
    id: Type.Integer(),
    name: Type.String(),
    active: Type.Boolean(),
    events: Type.Array(Type.String()),
    config: HookConfig,
    updated_at: Type.String(),
    created_at: Type.String(),
    url: Type.String(),
    test_url: Type.String(),
    ping_url: Type.String(),
    deliveries_url: Type.String(),
    last_response: Type.Object({
      code: Type.Union([Type.Integer(), Type.Null()]),
      status: Type.String(),
      message: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  { title: 'Hook' },
);
export const HookList = Type.Array(Hook);

const delivery = {
  id: Type.Integer(),
  guid: Type.String({ description: 'of the event, the same for all hooks and attempts' }),
  delivered_at: Type.String(),
  redelivery: Type.Boolean(),
  duration: Type.Number({ description: 'seconds' }),
  status: Type.String(),
  status_code: Type.Integer({ description: '0 where no answer came' }),
  event: Type.String(),
  action: Type.Union([Type.String(), Type.Null()], { description: 'of one delivery; null in lists' }),
  installation_id: Type.Null(),
  repository_id: Type.Integer(),
};
export const HookDeliveryList = Type.Array(Type.Object(delivery));
export const HookDelivery = Type.Object(
  {
    ...delivery,
    url: Type.String(),
    request: Type.Object({
      headers: Type.Record(Type.String(), Type.String()),
      payload: Type.Object({}, { additionalProperties: true }),
    }),
    response: Type.Object({ headers: Type.Object({}), payload: Type.Null() }),
  },
  { title: 'HookDelivery' },
);

const path = { owner: Type.String(), repo: Type.String() };
export const HooksPath = Type.Object(path);
export const HookPath = Type.Object({ ...path, hook_id: Type.String() });
export const DeliveryPath = Type.Object({ ...path, hook_id: Type.String(), delivery_id: Type.String() });
export const DeliveriesQuery = Type.Object({
  per_page: Type.Optional(Type.String({ description: '1 to 100; 30 by default' })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'of the `Link` of the page before' })),
  status: Type.Optional(Type.Union([Type.Literal('success'), Type.Literal('failure')])),
});
