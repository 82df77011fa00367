/** The config of the speech service, what its routes take and what they answer. */
import { Type, type Static } from 'plugboard/sdk';
import { FORMATS, type Format } from './audio/encoder.js';
import { UPSTREAM_FORMATS, type UpstreamFormat } from './engines/upstream/sound.js';
import { DIALECTS, type Dialect } from './voices/voices.js';

export const MAX_INPUT = 4_096;
const MAX_EXPLAINED = 500;

const EmbeddedConfig = Type.Object(
  {
    workers: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 2,
      description: 'child processes, about 100 MB each',
    }),
    warm: Type.Boolean({
      default: false,
      description:
        'let the child processes practise before the server is ready, which takes it some seconds, so that the first calls take no longer than others',
    }),
    program: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'the main file of another engine that answers the same frames (engines/espeak-ng/main.js describes them); relative to the config file',
      }),
    ),
  },
  { additionalProperties: false, default: {}, description: 'the built-in engine' },
);

const UpstreamConfig = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', description: 'what stands in `engines`' }),
    baseUrl: Type.String({
      pattern: '^https?://[^@?#]+$',
      description: 'the address under which /audio/speech is found, without user, password or query',
    }),
    apiKey: Type.Optional(
      Type.String({
        pattern: '^[!-~]*$',
        secret: true,
        description: 'leave it out for an upstream that needs none',
      }),
    ),
    model: Type.String({ minLength: 1, default: 'tts-1', description: 'the model that it is asked for' }),
    voices: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      default: {},
      description: 'their name for a voice of ours; "*" stands for all others',
    }),
    format: Type.Unsafe<UpstreamFormat>(
      Type.String({
        enum: [...UPSTREAM_FORMATS],
        default: 'wav',
        description: 'what it is asked for; pcm is 24 kHz, 16 bits, mono',
      }),
    ),
    parallel: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 2,
      description: 'sentences asked for at a time',
    }),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 30_000,
      description: 'milliseconds for a sentence',
    }),
  },
  { additionalProperties: false },
);

const milliseconds = (byDefault: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 5_000, default: byDefault, description });

const PausesConfig = Type.Object(
  {
    sentence: milliseconds(280, 'after a sentence'),
    paragraph: milliseconds(450, 'after the last sentence of a line'),
    comma: milliseconds(140, 'after a comma; upstreams make their own'),
    release: milliseconds(60, 'at the end'),
  },
  {
    additionalProperties: false,
    default: {},
    description: 'milliseconds of silence at speed 1, charged like sound',
  },
);

export const Config = Type.Object(
  {
    engines: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      default: ['embedded'],
      description: '"embedded" and names of `upstreams`, in the order in which they are tried',
    }),
    embedded: EmbeddedConfig,
    upstreams: Type.Array(UpstreamConfig, {
      default: [],
      description: 'servers that speak the OpenAI API for speech',
    }),
    monthlySeconds: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 3_600,
      description: 'seconds of sound that a key may make in a month, unless it has a plan of its own',
    }),
    timeZone: Type.String({
      minLength: 1,
      default: 'UTC',
      description: 'where the month begins, e.g. Asia/Seoul',
    }),
    pauses: PausesConfig,
    maxSeconds: Type.Integer({
      minimum: 1,
      maximum: 3_600,
      default: 900,
      description: 'sound that one call may make',
    }),
    active: Type.Integer({
      minimum: 1,
      maximum: 256,
      default: 4,
      description: 'calls that are spoken at a time',
    }),
    queue: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 64,
      description: 'calls that wait; more are answered 503',
    }),
    timeout: Type.Integer({
      minimum: 1_000,
      maximum: 600_000,
      default: 120_000,
      description: 'milliseconds for a call',
    }),
    cacheBytes: Type.Integer({
      minimum: 0,
      default: 33_554_432,
      description: 'sound kept for the same text, voice and format of the same key; 0 keeps none',
    }),
    cacheSeconds: Type.Integer({ minimum: 1, default: 300, description: 'how long it is kept' }),
  },
  { additionalProperties: false },
);

const spoken = {
  voice: Type.String({ description: 'an id of GET /api/v1/voices' }),
  response_format: Type.Unsafe<Format | null>({
    type: ['string', 'null'],
    enum: [...FORMATS, null],
    default: 'mp3',
    description: 'null is mp3',
  }),
  language: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'a hint, e.g. ko' }),
  ),
  speed: Type.Number({ minimum: 0.25, maximum: 4, default: 1 }),
  instructions: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 4_096,
      description: 'how it is to be said; for upstreams that take it',
    }),
  ),
};

/** Members that are not listed, such as `model`, are taken and ignored. */
export const SpeechBody = Type.Object(
  {
    ...spoken,
    input: Type.String({ minLength: 1, maxLength: MAX_INPUT, description: 'Korean text' }),
  },
  { title: 'Speech', examples: [{ voice: 'sera', input: '안녕하세요. 사과 3개를 14:30에 받았습니다.' }] },
);
export type SpeechConfig = Static<typeof Config>;
export type SpeechInput = Static<typeof SpeechBody>;

export const SpeechQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: 'say what it would cost, and speak nothing',
    }),
  ),
});

export const Estimate = Type.Object({
  voice: Type.String(),
  characters: Type.Integer(),
  syllables: Type.Integer(),
  sentences: Type.Integer(),
  estimated_seconds: Type.Number({
    description: 'within a quarter of what it will be, for the embedded engine',
  }),
  remaining_seconds: Type.Number({ description: 'of the month' }),
});

export const ExplainBody = Type.Object(
  {
    ...spoken,
    voice: Type.String({ default: 'sera' }),
    input: Type.String({ minLength: 1, maxLength: MAX_EXPLAINED }),
  },
  { title: 'SpeechToExplain', examples: [{ input: '사과 3개를 14:30에 받았습니다.' }] },
);
export type ExplainInput = Static<typeof ExplainBody>;

const Step = Type.Object({ article: Type.Integer(), from: Type.String(), to: Type.String() });
const Word = Type.Object({ written: Type.String(), spoken: Type.String(), changes: Type.Array(Step) });

export const Explanation = Type.Object(
  {
    input: Type.String(),
    normalised: Type.String(),
    changes: Type.Array(Type.Object({ rule: Type.String(), from: Type.String(), to: Type.String() })),
    dialect: Type.String(),
    sentences: Type.Array(
      Type.Object({
        text: Type.String(),
        pronunciation: Type.String(),
        words: Type.Array(Word),
        phonemes: Type.String({ description: 'as the embedded engine gets them' }),
        timing: Type.Union(
          [
            Type.Array(
              Type.Object({ phoneme: Type.String(), at: Type.Integer({ description: 'milliseconds' }) }),
            ),
            Type.Null(),
          ],
          { description: 'null where the engine does not say' },
        ),
      }),
    ),
  },
  { title: 'SpeechExplanation' },
);
export type ExplanationAnswer = Static<typeof Explanation>;

export const VoiceList = Type.Object(
  {
    voices: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        languages: Type.Array(Type.String()),
        dialect: Type.Unsafe<Dialect>(Type.String({ enum: [...DIALECTS] })),
      }),
    ),
  },
  { title: 'VoiceList' },
);

export const UsageAnswer = Type.Object(
  {
    month: Type.String({ examples: ['2026-11'] }),
    limit_seconds: Type.Number(),
    used_seconds: Type.Number({ description: 'may exceed the limit by one clip' }),
    reserved_seconds: Type.Number({ description: 'held by calls in progress' }),
    remaining_seconds: Type.Number(),
    resets_at: Type.String({ format: 'date-time' }),
  },
  { title: 'SpeechUsage' },
);

export const PlanKey = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 100, description: "the key's id" }),
});
export const PlanBody = Type.Object(
  { seconds: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'a month' }) },
  { title: 'SpeechPlan', examples: [{ seconds: 7200 }], additionalProperties: false },
);
export const PlanAnswer = Type.Object(
  {
    key: Type.String(),
    seconds: Type.Integer(),
    is_default: Type.Boolean(),
  },
  { title: 'SpeechPlan' },
);
export const PlanList = Type.Object({ plans: Type.Array(PlanAnswer) });
