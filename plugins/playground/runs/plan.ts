/** The calls of a run, planned and bounded before the first one. */
import type { ChatRequest } from 'plugboard/sdk';
import type { Example } from '../examples/schema.js';
import { errors } from '../errors.js';
import type { VersionAnswer } from '../versions/schema.js';
import { filledLength, fillIn } from '../versions/template.js';

/** One answer to request. */
export interface Cell {
  readonly version: VersionAnswer;
  readonly model: string;
  /** Its index among the examples. */
  readonly at: number;
  readonly example: Example;
}

/** Characters of a filled-in prompt with its system prompt. */
const MOST_CHARACTERS = 200_000;

/** Example by example, so that the answers of a stopped run compare the same ones. */
export function planRun(
  versions: readonly VersionAnswer[],
  models: readonly string[] | undefined,
  examples: readonly Example[],
  mostCalls: number,
): Cell[] {
  const pairs = versions.flatMap((version) =>
    [...new Set(models ?? [version.model])].map((model) => ({ version, model })),
  );
  const judges = examples.flatMap(({ checks }) => checks.filter(({ kind }) => kind === 'judge')).length;
  const calls = pairs.length * (examples.length + judges);
  if (calls > mostCalls) throw errors.run_too_large({ values: { calls, limit: mostCalls } });
  for (const version of versions)
    for (const [at, { variables }] of examples.entries()) checkFilledIn(version, variables, at);
  return examples.flatMap((example, at) => pairs.map((pair) => ({ ...pair, at, example })));
}

/** The model's input. */
export function requestOf({ version, model, example: { variables } }: Cell): ChatRequest {
  const { system, prompt, params } = version;
  const told = system === null ? [] : [{ role: 'system', content: fillIn(system, variables) }];
  return { ...params, model, messages: [...told, { role: 'user', content: fillIn(prompt, variables) }] };
}

function checkFilledIn(
  { version, system, prompt, variables: names }: VersionAnswer,
  variables: object,
  at: number,
) {
  const missing = names.find((name) => !Object.hasOwn(variables, name));
  if (missing !== undefined) throw errors.variable_missing({ values: { version, name: missing, at } });
  const given = variables as Readonly<Record<string, string>>;
  if (filledLength(system ?? '', given) + filledLength(prompt, given) > MOST_CHARACTERS)
    throw errors.prompt_too_long({ values: { version, at, limit: MOST_CHARACTERS } });
}
