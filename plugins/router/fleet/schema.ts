/** Upstreams by API: as in the config, with keys that are never shown again. */
import { Type, type Static } from 'plugboard/sdk';
import { UpstreamConfig } from '../schema.js';

/** What is sealed, and kept where a change leaves it out. */
export const SECRET_MEMBERS = ['apiKey', 'apiKeys', 'headers'] as const;
export type SecretMember = (typeof SECRET_MEMBERS)[number];

const { name, headers, ...members } = UpstreamConfig.properties;
const { default: _, ...withoutDefault } = headers as typeof headers & { default?: unknown };

export const UpstreamName = Type.Object({ name });

export const UpstreamBody = Type.Object(
  { ...members, headers: Type.Optional(withoutDefault as typeof headers) },
  {
    additionalProperties: false,
    title: 'Upstream',
    examples: [{ baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-...', models: ['gpt-5-mini'] }],
  },
);
export type UpstreamBody = Static<typeof UpstreamBody>;

export const KeysBody = Type.Object(
  { apiKeys: Type.Array(Type.String({ pattern: '^[!-~]+$' }), { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false, title: 'UpstreamKeys', examples: [{ apiKeys: ['sk-new'] }] },
);

export const TryBody = Type.Object(
  { model: Type.String({ minLength: 1, maxLength: 512, description: "the upstream's name for it" }) },
  { additionalProperties: false, title: 'UpstreamTry', examples: [{ model: 'gpt-5-mini' }] },
);
