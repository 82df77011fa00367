/** The config of telemetry. */
import { type Static, Type } from 'plugboard/sdk';

export const Config = Type.Object(
  {
    endpoint: Type.String({
      pattern: '^https?://[^\\s]+$',
      default: 'http://127.0.0.1:4318',
      description: 'Where a collector takes OTLP over HTTP; /v1/traces, /v1/metrics and /v1/logs are added',
    }),
    headers: Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String(), {
      default: {},
      secret: true,
      description: 'Sent with each export, such as the key of a vendor',
    }),
    service: Type.String({
      minLength: 1,
      default: 'plugboard',
      description: 'service.name of all that is sent',
    }),
    attributes: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'More attributes of the resource, such as deployment.environment.name',
    }),
    traces: Type.Object(
      {
        sample: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 1,
          description: 'Which part of the traces that begin here is sent; 0: none',
        }),
        trustCallers: Type.Boolean({
          default: false,
          description:
            'Whether a caller decides by its traceparent what is sampled; only with a proxy in front that sets it',
        }),
      },
      { additionalProperties: false, default: {}, description: 'Traces' },
    ),
    logs: Type.Union(
      [
        Type.Literal('none'),
        ...(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const).map((level) =>
          Type.Literal(level),
        ),
      ],
      {
        default: 'none',
        description: 'The least level of the lines of the log that are sent; none by default',
      },
    ),
    metricsEvery: Type.Integer({
      minimum: 0,
      maximum: 3600,
      default: 30,
      description: 'Seconds between two exports of metrics; 0: none',
    }),
  },
  { additionalProperties: false },
);
export type Config = Static<typeof Config>;
