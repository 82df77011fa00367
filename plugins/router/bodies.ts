/** The bodies that the router takes, and the queries of its usage routes. */
import { Type, type Static } from 'plugboard/sdk';
import { GROUPS } from './usage/summary.js';

const Message = Type.Object({ role: Type.String({ minLength: 1 }) });

/** Members that we do not read are passed on unchanged: the upstream knows its own parameters. */
export const ChatBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    messages: Type.Array(Message, { minItems: 1 }),
    stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    stream_options: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
  },
  { title: 'ChatCompletion', examples: [{ model: 'fast', messages: [{ role: 'user', content: 'hello' }] }] },
);

/** The path names the model. */
export const DeploymentBody = Type.Omit(ChatBody, ['model'], {
  title: 'DeploymentChatCompletion',
  examples: [{ messages: [{ role: 'user', content: 'hello' }] }],
});

const Stream = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

export const ResponsesBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    input: Type.Union([Type.String(), Type.Array(Type.Object({}), { minItems: 1 })]),
    stream: Stream,
  },
  { title: 'Response', examples: [{ model: 'fast', input: 'hello' }] },
);

export const MessagesBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    messages: Type.Array(Message, { minItems: 1 }),
    max_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
    stream: Stream,
  },
  {
    title: 'Message',
    examples: [{ model: 'fast', max_tokens: 200, messages: [{ role: 'user', content: 'hello' }] }],
  },
);

/** What each action of Google's API takes; the route says which of them must be there. */
export const GoogleBody = Type.Object(
  {
    contents: Type.Optional(Type.Array(Type.Object({}), { minItems: 1 })),
    content: Type.Optional(Type.Object({})),
    requests: Type.Optional(Type.Array(Type.Object({}), { minItems: 1, maxItems: 2_048 })),
  },
  { title: 'Content', examples: [{ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }] },
);
export type GoogleBody = Static<typeof GoogleBody>;

const Name = Type.String({ minLength: 1 });

export const OllamaChatBody = Type.Object(
  { model: Name, messages: Type.Array(Message, { minItems: 1 }), stream: Stream },
  {
    title: 'OllamaChat',
    examples: [{ model: 'fast', stream: false, messages: [{ role: 'user', content: 'hello' }] }],
  },
);

export const OllamaGenerateBody = Type.Object(
  { model: Name, prompt: Name, stream: Stream },
  { title: 'OllamaGenerate', examples: [{ model: 'fast', stream: false, prompt: 'hello' }] },
);

export const OllamaEmbedBody = Type.Object(
  {
    model: Name,
    input: Type.Union([Name, Type.Array(Type.String(), { minItems: 1 })]),
    dimensions: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { title: 'OllamaEmbed', examples: [{ model: 'openai/text-embedding-3-small', input: 'hello' }] },
);

export const OllamaShowBody = Type.Object(
  { model: Name },
  { title: 'OllamaShow', examples: [{ model: 'fast' }] },
);

export const EmbeddingsBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    input: Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String(), { minItems: 1 }),
      Type.Array(Type.Integer(), { minItems: 1 }),
      Type.Array(Type.Array(Type.Integer(), { minItems: 1 }), { minItems: 1 }),
    ]),
    encoding_format: Type.Optional(Type.Union([Type.Literal('float'), Type.Literal('base64')])),
    dimensions: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { title: 'Embeddings', examples: [{ model: 'openai/text-embedding-3-small', input: 'hello' }] },
);

/** The path names the model. */
export const DeploymentEmbeddingsBody = Type.Omit(EmbeddingsBody, ['model'], {
  title: 'DeploymentEmbeddings',
  examples: [{ input: 'hello' }],
});

export const CompletionsBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    prompt: Type.Union([
      Type.String(),
      Type.Array(Type.String(), { minItems: 1 }),
      Type.Array(Type.Integer(), { minItems: 1 }),
      Type.Array(Type.Array(Type.Integer(), { minItems: 1 }), { minItems: 1 }),
    ]),
    stream: Stream,
    stream_options: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
  },
  { title: 'Completion', examples: [{ model: 'openai/gpt-3.5-turbo-instruct', prompt: 'Once upon a time' }] },
);

export const ImagesBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    prompt: Type.String({ minLength: 1 }),
    stream: Type.Optional(Type.Union([Type.Literal(false), Type.Null()])),
  },
  { title: 'Images', examples: [{ model: 'openai/gpt-image-1', prompt: 'a tea house' }] },
);

export const ModerationsBody = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      default: 'omni-moderation-latest',
      description: 'the name of a route, or upstream/model',
    }),
    input: Type.Union([
      Type.String(),
      Type.Array(Type.Union([Type.String(), Type.Object({})]), { minItems: 1 }),
    ]),
  },
  { title: 'Moderation', examples: [{ model: 'openai/omni-moderation-latest', input: 'hello' }] },
);

export const RerankBody = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    query: Type.String({ minLength: 1 }),
    documents: Type.Array(Type.Union([Type.String(), Type.Object({})]), { minItems: 1 }),
    top_n: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { title: 'Rerank', examples: [{ model: 'reranker', query: 'tea', documents: ['a cup of tea', 'a film'] }] },
);

/** As the OpenAPI document shows it; what else there is goes on to the upstream. */
export const RecordingForm = Type.Object(
  {
    model: Type.String({ minLength: 1, description: 'the name of a route, or upstream/model' }),
    file: Type.String({ format: 'binary', description: 'the recording' }),
    language: Type.Optional(Type.String({ description: 'what is spoken, e.g. ko' })),
    prompt: Type.Optional(Type.String({ description: 'names and words that are said' })),
    response_format: Type.Optional(Type.String({ description: 'json, text, srt, verbose_json or vtt' })),
    stream: Type.Optional(Type.String({ description: 'true: pieces of the text as they are heard' })),
  },
  { title: 'Recording', examples: [{ model: 'openai/gpt-4o-transcribe', file: '@meeting.mp3' }] },
);

/** The path names the model. */
export const DeploymentRecordingForm = Type.Omit(RecordingForm, ['model'], {
  title: 'DeploymentRecording',
  examples: [{ file: '@meeting.mp3' }],
});

export const UsageQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        description: 'a date or date-time (UTC); default: the beginning of the day 30 days before `to`',
      }),
    ),
    to: Type.Optional(Type.String({ description: 'a date or date-time (UTC), not included; default: now' })),
    group: Type.Union(
      GROUPS.map((name) => Type.Literal(name)),
      { default: 'model' },
    ),
    key: Type.Optional(Type.String({ description: 'only calls with the API key of this id' })),
    model: Type.Optional(Type.String({ description: 'only calls of this model' })),
    upstream: Type.Optional(Type.String({ description: 'only calls that this upstream served' })),
  },
  { additionalProperties: false },
);

export const TextsQuery = Type.Object(
  {
    key: Type.String({ minLength: 1, description: 'as the record of the call has it' }),
    at: Type.String({ format: 'date-time', description: 'as the record of the call has it' }),
  },
  { additionalProperties: false },
);

/** Names of keys and models are texts of the caller's; what no call has matches nothing. */
export const CallsQuery = Type.Object(
  {
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    day: Type.Optional(Type.String({ description: 'One day (UTC), in place of from and to: 2026-01-31.' })),
    key: Type.Optional(Type.String({ description: 'The id of an API key.' })),
    model: Type.Optional(Type.String()),
    upstream: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    after: Type.Optional(Type.String({ description: 'The `next` of the page before.' })),
  },
  { additionalProperties: false },
);
export type CallsQuery = Static<typeof CallsQuery>;
