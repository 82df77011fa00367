/** Embeddings of an upstream that speaks Google's dialect, in OpenAI's words. */
import { AttemptFailure } from '../call/failure.js';
import type { JsonAnswer } from '../call/read-answer.js';
import type { Target } from '../catalog.js';
import { pathAt, type Wire } from './json-calls.js';

interface Asked {
  readonly input: unknown;
  readonly dimensions?: unknown;
}

/** Throws an `AttemptFailure` for inputs that are tokens: each vendor has its own. */
export function geminiEmbeddings(target: Target, { input, dimensions }: Asked): Wire {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (!texts.every((text) => typeof text === 'string')) throw tokensRefused();
  const model = `models/${target.model.replace(/^models\//, '')}`;
  const requests = texts.map((text) => ({
    model,
    content: { parts: [{ text }] },
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }));
  return {
    path: pathAt(target, '/embeddings'),
    body: JSON.stringify({ requests }),
    read: (answer) => asOpenAi(answer, target.model),
  };
}

function asOpenAi({ json }: JsonAnswer, model: string): JsonAnswer {
  const embeddings: unknown = json['embeddings'];
  if (!Array.isArray(embeddings)) throw new AttemptFailure('invalid', 'no_embeddings');
  const data = (embeddings as ({ values?: unknown } | null)[]).map((embedding, index) => ({
    object: 'embedding',
    index,
    embedding: embedding?.values,
  }));
  const translated = { object: 'list', model, data };
  return { json: translated, text: JSON.stringify(translated) };
}

function tokensRefused(): AttemptFailure {
  return new AttemptFailure('unsayable', 'unsupported_parameter', {
    unfit: 'unsupported',
    rejection: {
      status: 400,
      message: "it speaks Google's dialect, which takes texts and no token numbers",
      code: 'unsupported_parameter',
      param: 'input',
    },
  });
}
