/** Requests and answers of the playground. Unknown members are ignored. */
import { Type, type Static } from 'plugboard/sdk';

export const MAX_TEXT = 50_000;

export const Config = Type.Object(
  {
    maxPresets: Type.Integer({
      minimum: 1,
      default: 1_000,
      description: 'presets that one API key may have; the list is answered whole',
    }),
    maxCharacters: Type.Integer({
      minimum: 1,
      default: 2_000_000,
      description: 'characters that the presets of one API key may hold together, with versions and examples',
    }),
    maxVersions: Type.Integer({ minimum: 1, default: 100, description: 'versions that one preset may have' }),
    maxCalls: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 100,
      description: 'calls of models of one run, those of judges with them',
    }),
    parallel: Type.Integer({
      minimum: 1,
      default: 4,
      description: 'calls of the runs of one API key at a time',
    }),
    maxSeconds: Type.Integer({
      minimum: 1,
      default: 280,
      description: 'seconds after which a run is stopped',
    }),
    keepRuns: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 50,
      description: 'runs of one API key that are kept with their answers; the oldest go',
    }),
  },
  { additionalProperties: false },
);

/** For create and replace: an omitted optional has its default. */
export const PresetBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    endpoint: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    model: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    system: Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()], { default: null }),
    params: Type.Object({}, { additionalProperties: true, default: {} }),
  },
  {
    title: 'Preset',
    examples: [
      {
        name: 'Short answers',
        endpoint: 'chat.completions',
        model: 'fast',
        system: 'Answer in one sentence.',
      },
    ],
  },
);
export type PresetInput = Static<typeof PresetBody>;

export const Preset = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    endpoint: Type.String(),
    model: Type.String(),
    system: Type.Union([Type.String(), Type.Null()]),
    params: Type.Object({}, { additionalProperties: true }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Preset' },
);
export type PresetAnswer = Static<typeof Preset>;

export const PresetList = Type.Object(
  {
    presets: Type.Array(Preset),
    next: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'with a limit: the `after` of the next page; null on the last one',
      }),
    ),
  },
  { title: 'PresetList' },
);

export const PresetQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'presets of a page; left out, all are listed' }),
  ),
  after: Type.Optional(Type.String({ description: 'the `next` of the page before' })),
});
export type PresetQuery = Static<typeof PresetQuery>;

export const PresetId = Type.Object({ id: Type.String() });

export const ImproveBody = Type.Object(
  {
    model: Type.String({ minLength: 1, description: 'upstream/model, or the name of a route' }),
    system: Type.Optional(Type.String({ maxLength: MAX_TEXT })),
    prompt: Type.Optional(Type.String({ maxLength: MAX_TEXT })),
    tone: Type.Union([Type.Literal('concise'), Type.Literal('detailed')], { default: 'concise' }),
  },
  { title: 'PromptToImprove', examples: [{ model: 'fast', prompt: 'write about tea' }] },
);
export type ImproveInput = Static<typeof ImproveBody>;

export const Improved = Type.Object(
  {
    improvedSystem: Type.String({ description: 'empty when no system prompt was given' }),
    improvedPrompt: Type.String({ description: 'empty when no prompt was given' }),
    tokensIn: Type.Integer(),
    tokensOut: Type.Integer(),
  },
  { title: 'ImprovedPrompt' },
);
export type ImprovedAnswer = Static<typeof Improved>;
