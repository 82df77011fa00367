/** The plugin's config. What is changed at run time is in the settings, not here. */
import { Type, type Static } from 'plugboard/sdk';
import { closed } from './engine/base/schema.js';

export const Config = Type.Object(
  {
    staticModelDir: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'A Model2Vec directory (model.safetensors, tokenizer.json). Default: built-in vectors of words.',
      }),
    ),
    transformers: Type.Optional(
      Type.Object(
        {
          directory: Type.String({ minLength: 1, description: 'Holds MODEL/config.json, MODEL/onnx/...' }),
          model: Type.String({ minLength: 1, description: 'A folder in that directory.' }),
          precision: Type.Optional(
            Type.Union([Type.Literal('q8'), Type.Literal('fp32')], {
              description: 'Precision of the weights: q8 is smaller and faster, fp32 exact.',
            }),
          ),
        },
        { ...closed, description: 'A local sentence encoder; needs the package @huggingface/transformers.' },
      ),
    ),
    summaryModel: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A chat model that writes summaries. Default: none; near-duplicates are folded.',
      }),
    ),
    extraction: Type.Optional(
      Type.Object(
        {
          model: Type.String({
            minLength: 1,
            description: 'A chat model that reads conversations for facts.',
          }),
          chats: Type.Union([Type.Literal('all'), Type.Literal('asked')], {
            default: 'asked',
            description:
              'Which chats are read: all but those with the header `x-plugboard-extract: 0`, or only those with `1`.',
          }),
          timeout: Type.Integer({
            minimum: 100,
            default: 60_000,
            description: 'Timeout of one model call, in milliseconds.',
          }),
        },
        { ...closed, description: 'Automatic memory: facts are read from conversations. Default: off.' },
      ),
    ),
    remoteTimeout: Type.Integer({
      minimum: 100,
      default: 10_000,
      description: 'Timeout of an embedding, rerank or summary call, in milliseconds.',
    }),
    episodicNeighbours: Type.Boolean({
      default: true,
      description:
        'Turns of one session lend score to their neighbours, and a good session lifts all of its turns.',
    }),
    keywordWeight: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Share of the words in a hybrid ranking. Default: 0.66 with the built-in vectors, down to 0.2 with a model that knows the language.',
      }),
    ),
    maxCharacters: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e12,
        description: 'Maximum total characters of the memories of one owner. Default: no limit.',
      }),
    ),
    indexDirectory: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Directory that keeps the index of words between starts. Default: the folder of the embedded store; with MongoDB none.',
      }),
    ),
    purgeAfter: Type.Integer({
      minimum: 0,
      default: 86_400,
      description: 'Seconds an expired entry stays on disk; it is hidden as soon as it expires.',
    }),
    sweepInterval: Type.Integer({
      minimum: 1,
      default: 3600,
      description: 'Seconds between purges of expired entries.',
    }),
    minSimilarity: Type.Number({
      minimum: -1,
      maximum: 1,
      default: 0.3,
      description:
        'Chat: an entry that shares no word with the message must be at least this similar (cosine).',
    }),
    injectionLimit: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Chat: maximum entries per request.',
    }),
    recallTimeout: Type.Integer({
      minimum: 1,
      default: 2000,
      description: 'Chat: milliseconds it waits for its memories; then it is sent without them.',
    }),
    externalStore: Type.Object(
      {
        allowPrivateHosts: Type.Boolean({
          default: false,
          description: 'Allow loopback and private addresses for the external store.',
        }),
        timeout: Type.Integer({
          minimum: 100,
          default: 5000,
          description: 'Timeout of one call, in milliseconds.',
        }),
      },
      {
        ...closed,
        default: {},
        description: 'Calls to the external vector store, which is set up in the settings.',
      },
    ),
  },
  closed,
);
export type Config = Static<typeof Config>;
