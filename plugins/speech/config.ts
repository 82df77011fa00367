/** The config of the speech service. */
import { Type, type Static } from 'plugboard/sdk';
import { UPSTREAM_FORMATS, type UpstreamFormat } from './engines/upstream/sound.js';

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
          'the main file of another engine that answers the same frames (those of plugboard-engine-espeak-ng, whose main.js describes them); relative to the config file',
      }),
    ),
  },
  { additionalProperties: false, default: {}, description: 'the built-in engine' },
);

const UpstreamConfig = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', description: 'its name in `engines`' }),
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
      description: 'their name for a voice of ours; "*" is for all others',
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
export type SpeechConfig = Static<typeof Config>;
