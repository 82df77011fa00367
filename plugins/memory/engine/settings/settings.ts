/** The settings of memory. */
import { Type, type Static } from 'plugboard/sdk';
import { closed, nullable, oneOf } from '../base/schema.js';

/** In the order and with the names of the response. */
export const SettingsPatch = Type.Partial(
  Type.Object({
    enabled: Type.Boolean(),
    maxTokens: Type.Integer({ minimum: 0, maximum: 16_000, description: '0: nothing is put into chats.' }),
    retentionDays: Type.Integer({ minimum: 1, maximum: 365 }),
    strategy: oneOf(['recent', 'semantic', 'hybrid']),
    skillsEnabled: Type.Boolean(),
    embeddingSource: oneOf(['remote', 'static', 'transformers', 'auto']),
    embeddingProviderModel: nullable(Type.String({ minLength: 1 })),
    transformersEnabled: Type.Boolean(),
    staticEnabled: Type.Boolean(),
    rerankEnabled: Type.Boolean(),
    rerankProviderModel: nullable(Type.String({ minLength: 1 })),
    vectorStore: oneOf(['local', 'external', 'auto']),
  }),
  { ...closed, title: 'MemorySettings', examples: [{ enabled: true, maxTokens: 2000 }] },
);
export type SettingsPatch = Static<typeof SettingsPatch>;

export const Settings = Type.Required(SettingsPatch, { title: 'MemorySettings' });
export type Settings = Static<typeof Settings>;
