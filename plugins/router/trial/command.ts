/** `plugboard router try MODEL`: one question, and what was understood of the answer. */
import { isServiceError, UserError, type Command, type CommandCall } from 'plugboard/sdk';
import type { Limits } from '../call/exchange.js';
import type { Catalog, Target } from '../catalog.js';
import type { DialectName } from '../dialects/neutral.js';
import type { Prices } from '../money/prices.js';
import { tryTarget, type Answered, type Trial } from './question.js';

interface Parts {
  readonly catalog: Catalog;
  readonly prices: Prices;
  readonly limits: Limits;
}

export function tryCommand(parts: Parts): Command {
  return {
    name: 'router try',
    summary: 'ask a model one question, and say what works: streaming, tools, usage, cost',
    usage: 'MODEL',
    readOnly: true,
    options: { json: { type: 'boolean', summary: 'print JSON' } },
    examples: ['plugboard router try openai/gpt-5-mini', 'plugboard router try fast'],
    run: (call) => run(parts, call),
  };
}

async function run(
  { catalog, prices, limits }: Parts,
  { args: [model = ''], options, stdout, signal }: CommandCall,
): Promise<void> {
  const trials: Trial[] = [];
  for (const target of targetsOf(catalog, model)) {
    const trial = await tryTarget(target, { prices, limits, gone: signal });
    trials.push(trial);
    if (options['json'] !== true) stdout.write(`${shown(trial)}\n`);
  }
  if (options['json'] === true) stdout.write(`${JSON.stringify(trials, null, 2)}\n`);
  const failed = trials.filter(({ fault }) => fault !== null).length;
  if (failed === trials.length) throw new UserError(`"${model}" does not answer`);
  if (failed > 0) throw new UserError(`${failed} of ${trials.length} targets of "${model}" do not answer`);
}

function targetsOf(catalog: Catalog, model: string): readonly Target[] {
  try {
    return catalog.resolve(model, { now: performance.now(), mode: 'stream' }).targets;
  } catch (error) {
    throw isServiceError(error) ? new UserError(error.message) : error;
  }
}

const DIALECTS: Readonly<Record<DialectName, string>> = {
  chat: 'chat completions',
  responses: "OpenAI's Responses",
  anthropic: "Anthropic's messages",
  gemini: "Google's generateContent",
};

function shown({ upstream, model, dialect, baseUrl, fault, refusedKeys, answer }: Trial): string {
  const keys =
    refusedKeys.length === 0
      ? []
      : [['keys', `turned away: ${refusedKeys.join(', ')} (of the config's, from 1)`]];
  const lines = [
    ['dialect', DIALECTS[dialect as DialectName]],
    ...keys,
    ...(answer === null ? [['answers', `no: ${fault ?? ''}`]] : answerLines(answer)),
  ];
  return [
    `${upstream}/${model} at ${baseUrl}`,
    ...lines.map(([name = '', text = '']) => `  ${name.padEnd(8)} ${text}`),
  ].join('\n');
}

function answerLines({
  streams,
  tools,
  said,
  servedModel,
  tokens,
  first,
  total,
  cost,
  pricedAs,
}: Answered): string[][] {
  const { tokensIn, tokensOut, tokensReasoning } = tokens;
  const thought = tokensReasoning ? ` (${tokensReasoning} of them thinking)` : '';
  return [
    ['answers', `yes, in ${total} ms, the first piece after ${first} ms: ${JSON.stringify(said)}`],
    ['streams', streams ? 'yes' : 'no: the whole answer came at once'],
    [
      'tools',
      {
        called: 'yes',
        'not called': 'taken, and not used',
        refused: 'no: a request that offers one is refused',
      }[tools],
    ],
    [
      'usage',
      tokensIn === null || tokensOut === null
        ? 'not reported: calls are counted by an estimate'
        : `${tokensIn} tokens in, ${tokensOut} out${thought}`,
    ],
    [
      'cost',
      pricedAs === null
        ? 'no price is known: give one in plugins.router.prices'
        : `${cost === null ? 'not known' : `${cost.toFixed(6)} US dollars`}, by the price of ${pricedAs}`,
    ],
    ...(servedModel === null ? [] : [['served', servedModel]]),
  ];
}
