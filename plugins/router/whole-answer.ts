/** A whole answer of an upstream: unchanged for a client of the same dialect, else converted to the client's. */
import { checkCompletion } from './call/completion.js';
import { AttemptFailure, filtered } from './call/failure.js';
import type { Attempt } from './call/failover.js';
import type { JsonAnswer } from './call/read-answer.js';
import { dialects } from './dialects/by-name.js';
import type { Conversation } from './dialects/conversation.js';
import type { Dialect, Json } from './dialects/dialect.js';
import type { NeutralAnswer } from './dialects/neutral.js';
import { FirstCall } from './dialects/parts.js';
import { Unreadable } from './dialects/reading.js';
import { readSafely, tokensOf } from './dialects/translated-stream.js';
import type { Unfit } from './schema.js';
import { readTokens, type TokenUsage } from './usage/tokens.js';

export interface WholeAnswer {
  readonly text: string;
  readonly tokens: TokenUsage;
  /** The model's text, if the upstream does not report its tokens. */
  readonly said: string;
  /** The model's text, in any case. */
  readonly spoken: () => string;
  readonly model: string | null;
  /** For guards; in place of it, `text` is for the client. */
  readonly neutral?: NeutralAnswer;
}

export function wholeOf(
  answer: JsonAnswer,
  { target: { upstream } }: Attempt,
  talk: Conversation,
  { fallbackOn, isGuarded }: { readonly fallbackOn: ReadonlySet<Unfit>; readonly isGuarded: boolean },
): WholeAnswer {
  const { text, json } = answer;
  const dialect = dialects[upstream.kind.wire];
  if (talk.passes(upstream) && !isGuarded) {
    const say = (): string => saidIn(dialect, json);
    if (dialect.name === 'chat') {
      checkCompletion(json, fallbackOn);
      const model = typeof json['model'] === 'string' ? json['model'] : null;
      const tokens = readTokens(json['usage']);
      return { text, tokens, said: tokens.tokensOut === null ? say() : '', spoken: say, model };
    }
    if (!dialect.isAnswer(json)) throw new AttemptFailure('invalid', 'unexpected_shape');
    const { usage, model } = dialect.summary(json);
    const said = usage.output === null ? say() : '';
    return { text, tokens: tokensOf(usage), said, spoken: say, model };
  }
  const neutral = readSafely(() => dialect.readAnswer(json));
  const isFiltered = neutral.finish === 'filter' && neutral.parts.length === 0;
  if (isFiltered && fallbackOn.has('content_filter')) throw filtered();
  const isSerial = talk.neutral.settings.parallelTools === false;
  const kept = isSerial ? { ...neutral, parts: FirstCall.of(neutral.parts) } : neutral;
  return {
    text: isGuarded ? '' : JSON.stringify(talk.client.writeAnswer(kept, talk.asked)),
    neutral: kept,
    tokens: tokensOf(neutral.usage),
    said: spoken(neutral),
    spoken: () => spoken(kept),
    model: neutral.model ?? null,
  };
}

/** A passed answer may have oddities that nobody reads. */
function saidIn(dialect: Dialect, json: Json): string {
  try {
    return spoken(dialect.readAnswer(json));
  } catch (error) {
    if (error instanceof Unreadable) return JSON.stringify(json);
    throw error;
  }
}

export function spoken({ parts }: NeutralAnswer): string {
  return parts.map((part) => (part.kind === 'call' ? part.name + part.arguments : part.text)).join('\n');
}
