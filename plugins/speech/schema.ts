/** Requests and answers of the routes. */
import { Type, type Static } from 'plugboard/sdk';
import { FORMATS, type Format } from './audio/encoder.js';
import { DIALECTS, type Dialect } from './voices/voices.js';

export const MAX_INPUT = 4_096;
const MAX_EXPLAINED = 500;
const GRANULARITIES = ['word', 'segment'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const spoken = {
  voice: Type.String({ description: 'an id of GET /api/v1/voices' }),
  response_format: Type.Unsafe<Format | null>({
    type: ['string', 'null'],
    enum: [...FORMATS, null],
    default: 'mp3',
    description: 'null is mp3; pcm is 24 kHz, 16 bits, mono; opus is in Ogg',
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

/** Unlisted members, such as `model`, are accepted and ignored. */
export const SpeechBody = Type.Object(
  {
    ...spoken,
    input: Type.String({ minLength: 1, maxLength: MAX_INPUT, description: 'Korean text' }),
    stream: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'send the sound sentence by sentence, as it is made',
      }),
    ),
    stream_format: Type.Optional(
      Type.Unsafe<'audio' | 'sse' | null>({
        type: ['string', 'null'],
        enum: ['audio', 'sse', null],
        description: 'stream the sound itself, or events that hold it',
      }),
    ),
    timestamp_granularities: Type.Optional(
      Type.Unsafe<Granularity[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', enum: [...GRANULARITIES] },
        maxItems: 2,
        description: 'events then say when words and sentences are heard; needs `sse`',
      }),
    ),
  },
  { title: 'Speech', examples: [{ voice: 'sera', input: '안녕하세요. 사과 3개를 14:30에 받았습니다.' }] },
);
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

export const CallId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'the `x-request-id` of the call' }),
});
export const CallAnswer = Type.Object(
  { id: Type.String(), seconds: Type.Number({ description: 'what was deducted' }) },
  { title: 'SpeechCall' },
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
