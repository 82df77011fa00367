/** Requests and answers of the versions of a preset. */
import { Type, type Static } from 'plugboard/sdk';
import { MAX_TEXT } from '../schema.js';

export const Label = Type.String({
  pattern: '^[A-Za-z][\\w.-]{0,63}$',
  description: 'a name that is moved from version to version, such as production',
});

const System = Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()]);
const Params = Type.Object({}, { additionalProperties: true });

export const VersionBody = Type.Object(
  {
    prompt: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      pattern: '\\S',
      default: '{{input}}',
      description: 'what the model is asked; examples fill in the names in double braces',
    }),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })),
    system: Type.Optional(System),
    params: Type.Optional(Params),
    label: Type.Optional(Label),
  },
  {
    title: 'NewPresetVersion',
    description: 'what is left out is as the preset has it',
    examples: [{ system: 'Answer in one word.', prompt: 'The capital of {{country}}?', label: 'production' }],
  },
);
export type VersionInput = Static<typeof VersionBody>;

export const Version = Type.Object(
  {
    version: Type.Integer({ description: 'counts from 1' }),
    labels: Type.Array(Type.String()),
    model: Type.String(),
    system: System,
    prompt: Type.String(),
    params: Params,
    variables: Type.Array(Type.String(), { description: 'the names in `system` and `prompt`' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'PresetVersion' },
);
export type VersionAnswer = Static<typeof Version>;

export const VersionList = Type.Object({ versions: Type.Array(Version) }, { title: 'PresetVersionList' });

export const VersionPath = Type.Object({
  id: Type.String(),
  version: Type.String({ description: 'a number, or a label' }),
});
export const LabelPath = Type.Object({ id: Type.String(), label: Label });
export const LabelBody = Type.Object(
  { version: Type.Integer({ minimum: 1 }) },
  { title: 'PresetLabel', examples: [{ version: 1 }] },
);
