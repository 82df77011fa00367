/** Answers of the routes of accounts. */
import { Type, type TSchema } from 'plugboard/sdk';
import { UpdateBody } from '../schema/bodies.js';
import { CONFIGURATIONS, DASHBOARDS } from '../schema/enums.js';
import { completeSchema } from './complete.js';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const time = () => Type.String({ format: 'date-time' });
const closed = { additionalProperties: false } as const;

/** A property of a request schema. */
export function requestPart(...path: readonly string[]): TSchema {
  let part = UpdateBody as TSchema;
  for (const name of path)
    part = (part as unknown as { properties: Record<string, TSchema> }).properties[name] as TSchema;
  return part;
}

const Status = Type.Object(
  {
    status: Type.Unsafe<string>({ type: 'string', enum: ['active', 'restricted', 'unsupported'] }),
    status_details: Type.Array(Type.Object({ code: Type.String(), resolution: Type.String() }, closed)),
  },
  closed,
);

/** By name; balances and bank accounts nest theirs one level deeper. */
const Capabilities = nullable(
  Type.Record(Type.String(), Type.Union([Status, Type.Record(Type.String(), Status)])),
);

function configuration(name: 'customer' | 'merchant' | 'recipient', extra: Record<string, TSchema>): TSchema {
  const request = requestPart('configuration', name) as unknown as { properties: Record<string, TSchema> };
  const settings = Object.entries(request.properties)
    .filter(([key]) => key !== 'applied' && key !== 'capabilities')
    .map(([key, schema]) => [key, completeSchema(schema)]);
  return nullable(
    Type.Object(
      {
        applied: nullable(time()),
        capabilities: Capabilities,
        ...(Object.fromEntries(settings) as Record<string, TSchema>),
        ...extra,
      },
      closed,
    ),
  );
}

const nothing = nullable(Type.String());

const Tax = Type.Object(
  {
    exempt: Type.String(),
    ip_address: nothing,
    location: nullable(Type.Object({ country: nothing, state: nothing }, closed)),
    location_source: Type.String(),
  },
  closed,
);

const Invoice = Type.Object(
  {
    custom_fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
    footer: nothing,
    next_sequence: Type.Integer(),
    prefix: Type.String(),
    rendering: completeSchema(requestPart('configuration', 'customer', 'billing', 'invoice', 'rendering')),
  },
  closed,
);

const Responsibilities = Type.Object(
  { fees_collector: Type.String(), losses_collector: Type.String(), requirements_collector: Type.String() },
  closed,
);

const Deadline = Type.Object({ status: Type.String(), time: Type.Optional(time()) }, closed);

const Entry = Type.Object(
  {
    awaiting_action_from: Type.String(),
    description: Type.String({ description: 'the path of what is missing' }),
    errors: Type.Array(Type.Object({ code: Type.String(), description: Type.String() }, closed)),
    impact: Type.Object(
      {
        restricts_capabilities: Type.Array(
          Type.Object(
            {
              capability: Type.String(),
              configuration: Type.String(),
              deadline: Type.Object({ status: Type.String() }, closed),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    minimum_deadline: Type.Object({ status: Type.String() }, closed),
    reference: nullable(
      Type.Object({ inquiry: Type.Null(), resource: Type.String(), type: Type.Literal('person') }, closed),
    ),
    requested_reasons: Type.Array(Type.Object({ code: Type.String() }, closed)),
  },
  closed,
);

const Summary = nullable(Type.Object({ minimum_deadline: nullable(Deadline) }, closed));

const defaultsProperties = (
  completeSchema(requestPart('defaults')) as unknown as { properties: Record<string, TSchema> }
).properties;

/** Keys from `configuration` on are null unless included. */
export const Account = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('v2.core.account'),
    applied_configurations: Type.Array(Type.Union(CONFIGURATIONS.map((name) => Type.Literal(name)))),
    closed: Type.Boolean(),
    configuration: nullable(
      Type.Object(
        {
          customer: configuration('customer', {
            automatic_indirect_tax: Tax,
            billing: Type.Object({ default_payment_method: nothing, invoice: Invoice }, closed),
          }),
          merchant: configuration('merchant', {
            bacs_debit_payments: nullable(
              Type.Object({ display_name: nothing, service_user_number: Type.Null() }, closed),
            ),
          }),
          recipient: configuration('recipient', {}),
        },
        closed,
      ),
    ),
    contact_email: nothing,
    contact_phone: nothing,
    created: time(),
    dashboard: Type.Unsafe<string | null>({ enum: [...DASHBOARDS, null] }),
    defaults: nullable(
      Type.Object({ ...defaultsProperties, responsibilities: nullable(Responsibilities) }, closed),
    ),
    display_name: nothing,
    future_requirements: nullable(
      Type.Object(
        { entries: Type.Array(Entry), minimum_transition_date: nullable(time()), summary: Summary },
        closed,
      ),
    ),
    identity: completeSchema(requestPart('identity')),
    livemode: Type.Boolean(),
    metadata: Type.Record(Type.String(), Type.String()),
    requirements: nullable(Type.Object({ entries: Type.Array(Entry), summary: Summary }, closed)),
  },
  { ...closed, title: 'Account' },
);

export const AccountList = Type.Object(
  { data: Type.Array(Account), next_page_url: nothing, previous_page_url: nothing },
  closed,
);

export const AccountToken = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('v2.core.account_token'),
    created: time(),
    expires_at: time(),
    livemode: Type.Boolean(),
    used: Type.Boolean(),
  },
  { ...closed, title: 'AccountToken' },
);
