/** Requests and answers of the routes of events and destinations. */
import { Type, type Static } from 'plugboard/sdk';

const closed = { additionalProperties: false } as const;
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);
const time = () => Type.String({ format: 'date-time' });
/** RFC 3339, or seconds since 1970 as the SDKs write them. */
const bound = () => Type.Optional(Type.Union([time(), Type.String({ pattern: '^[0-9]{1,11}$' })]));

export const EventQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    page: Type.Optional(Type.String({ maxLength: 500 })),
    object_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'the account, or one of its persons' }),
    ),
    types: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 })),
    'created[gt]': bound(),
    'created[gte]': bound(),
    'created[lt]': bound(),
    'created[lte]': bound(),
  },
  closed,
);
export type EventQuery = Static<typeof EventQuery>;

export const Event = Type.Object({
  id: Type.String(),
  object: Type.Literal('v2.core.event'),
  type: Type.String(),
  created: time(),
  livemode: Type.Boolean(),
  context: Type.Null(),
  related_object: nullable(Type.Object({ id: Type.String(), type: Type.String(), url: Type.String() })),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export const EventList = Type.Object({
  data: Type.Array(Event),
  next_page_url: nullable(Type.String()),
  previous_page_url: Type.Null(),
});

const Url = Type.String({ minLength: 1, maxLength: 2_000 });
const Name = Type.String({ minLength: 1, maxLength: 500 });
const Description = Type.Optional(nullable(Type.String({ maxLength: 1_000 })));
const Metadata = Type.Optional(
  Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), { maxProperties: 50 }),
);
const Types = Type.Array(Type.String({ pattern: '^[a-z0-9_.\\[\\]]{1,200}$|^\\*$' }), {
  minItems: 1,
  maxItems: 50,
  description: 'types of events, or `*`',
});
const Include = Type.Optional(
  Type.Array(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['webhook_endpoint.url', 'webhook_endpoint.signing_secret'],
    }),
    { maxItems: 10 },
  ),
);

export const NewDestination = Type.Object(
  {
    name: Name,
    type: Type.Literal('webhook_endpoint', { description: 'the one kind that this server has' }),
    event_payload: Type.Literal('thin', { description: 'the one kind that this server has' }),
    enabled_events: Types,
    webhook_endpoint: Type.Object({ url: Url }, closed),
    description: Description,
    metadata: Metadata,
    events_from: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 5 })),
    include: Include,
  },
  closed,
);
export type NewDestination = Static<typeof NewDestination>;

export const DestinationChange = Type.Object(
  {
    name: Type.Optional(Name),
    enabled_events: Type.Optional(Types),
    webhook_endpoint: Type.Optional(Type.Object({ url: Url }, closed)),
    description: Description,
    metadata: Metadata,
    include: Include,
  },
  closed,
);
export type DestinationChange = Static<typeof DestinationChange>;

export const DestinationQuery = Type.Object({ include: Include }, closed);
export const DestinationListQuery = Type.Object(
  { include: Include, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) },
  closed,
);
export const Nothing = Type.Object({}, closed);
export const Id = Type.Object({ id: Type.String() });

export const Destination = Type.Object({
  id: Type.String(),
  object: Type.Literal('v2.core.event_destination'),
  type: Type.Literal('webhook_endpoint'),
  name: Type.String(),
  description: nullable(Type.String()),
  enabled_events: Type.Array(Type.String()),
  event_payload: Type.Literal('thin'),
  events_from: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  status: Type.Union([Type.Literal('enabled'), Type.Literal('disabled')]),
  status_details: nullable(Type.Object({ disabled: Type.Object({ reason: Type.String() }) })),
  webhook_endpoint: Type.Object({
    url: nullable(Type.String({ description: 'where `include` names it' })),
    signing_secret: nullable(Type.String({ description: 'at creation alone, where `include` names it' })),
  }),
  created: time(),
  updated: time(),
  livemode: Type.Boolean(),
});
export const DestinationList = Type.Object({
  data: Type.Array(Destination),
  next_page_url: Type.Null(),
  previous_page_url: Type.Null(),
});
export const DeletedDestination = Type.Object({
  id: Type.String(),
  object: Type.Literal('v2.core.event_destination'),
  deleted: Type.Boolean(),
});
