/** The config of the provider. */
import { type Static, Type } from 'plugboard/sdk';

const milliseconds = (value: number, description: string) =>
  Type.Integer({ minimum: 100, default: value, description });

export const Config = Type.Object(
  {
    url: Type.String({
      pattern: '^mongodb(\\+srv)?://',
      secret: true,
      description: 'Connection string; may hold a user and a password.',
    }),
    database: Type.Optional(
      Type.String({ minLength: 1, description: 'Default: the one that the URL names, else `plugboard`.' }),
    ),
    readPreference: Type.Union(
      [
        Type.Literal('primary'),
        Type.Literal('primaryPreferred'),
        Type.Literal('secondary'),
        Type.Literal('secondaryPreferred'),
        Type.Literal('nearest'),
      ],
      { default: 'primary', description: 'Anything but `primary` may answer what was true a moment ago.' },
    ),
    pool: Type.Object(
      {
        min: Type.Integer({ minimum: 0, default: 0, description: 'Connections that stay open.' }),
        max: Type.Integer({ minimum: 1, default: 50, description: 'Connections at most.' }),
      },
      { additionalProperties: false, default: {}, description: 'Connections to each server.' },
    ),
    timeouts: Type.Object(
      {
        connect: milliseconds(5000, 'To open a connection, in milliseconds.'),
        serverSelection: milliseconds(5000, 'To find a server that can serve the call, in milliseconds.'),
        socket: milliseconds(30_000, 'Milliseconds without an answer after which a connection is closed.'),
        queue: milliseconds(5000, 'To wait for a free connection of the pool, in milliseconds.'),
        majority: milliseconds(10_000, 'To wait until a write is stored by the majority, in milliseconds.'),
        transaction: milliseconds(15_000, 'To retry a transaction that lost a conflict, in milliseconds.'),
      },
      { additionalProperties: false, default: {}, description: 'How long each step of a call may take.' },
    ),
    tls: Type.Optional(
      Type.Object(
        {
          enabled: Type.Boolean({ default: true, description: 'False: no TLS.' }),
          caFile: Type.Optional(
            Type.String({
              description: 'PEM file of the authorities to trust, relative to the config file.',
            }),
          ),
          certificateKeyFile: Type.Optional(
            Type.String({
              description: "PEM file of the client's certificate and key, relative to the config file.",
            }),
          ),
          certificateKeyPassword: Type.Optional(
            Type.String({ secret: true, description: 'The password of that key.' }),
          ),
        },
        { additionalProperties: false, description: 'TLS to the servers.' },
      ),
    ),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof Config>;
