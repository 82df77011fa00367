/** The plugin's config. What a person changes while the server runs is in the settings, not here. */
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
              description: 'The numbers of its weights: q8 is smaller and faster, fp32 exact.',
            }),
          ),
        },
        { ...closed, description: 'A local sentence encoder; needs the package @huggingface/transformers.' },
      ),
    ),
    summaryModel: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A chat model that writes summaries. Default: extracts, no model.',
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
              'Which chats are read: all, or those with the header `x-plugboard-extract: 1`; `0` spares one.',
          }),
          timeout: Type.Integer({
            minimum: 100,
            default: 60_000,
            description: 'Milliseconds that one reading may take.',
          }),
        },
        { ...closed, description: 'Memory that writes itself. Default: off.' },
      ),
    ),
    remoteTimeout: Type.Integer({
      minimum: 100,
      default: 10_000,
      description: 'Milliseconds that an embedding or rerank call may take.',
    }),
    episodicNeighbours: Type.Boolean({
      default: true,
      description:
        'Turns of one session lend their score to their neighbours, and good sessions to all of their turns.',
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
        description:
          'Characters that the memories of one owner may hold together. Default: as many as there is room for.',
      }),
    ),
    indexDirectory: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Where the index of words is kept from one start to the next. Default: the folder of the embedded store; on MongoDB nowhere.',
      }),
    ),
    purgeAfter: Type.Integer({
      minimum: 0,
      default: 86_400,
      description: 'Seconds for which an expired entry, hidden from its instant on, is kept on disk.',
    }),
    sweepInterval: Type.Integer({
      minimum: 1,
      default: 3600,
      description: 'Seconds between two purges of what has expired.',
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
      description: 'Chat: entries put into one request at most.',
    }),
    recallTimeout: Type.Integer({
      minimum: 1,
      default: 2000,
      description: 'Chat: milliseconds that it waits for its memories; then it is sent without.',
    }),
    externalStore: Type.Object(
      {
        allowPrivateHosts: Type.Boolean({
          default: false,
          description: 'Let the external store lie at a loopback or private address.',
        }),
        timeout: Type.Integer({
          minimum: 100,
          default: 5000,
          description: 'Milliseconds that one call may take.',
        }),
      },
      {
        ...closed,
        default: {},
        description: 'Calls to the external vector store that the settings may name.',
      },
    ),
  },
  closed,
);
export type Config = Static<typeof Config>;
