/** Checks an answer against the checks of its example. */
import type { CallUse, ChatMessage, Models, Principal } from 'plugboard/sdk';
import type { Check } from './schema.js';
import { ask, textOf } from '../ask.js';
import { drawMark, judgeMessages, readVerdict, type Judged } from './judge.js';
import type { SchemaChecker } from './schema-checker.js';

export interface Verdict extends Judged {
  readonly kind: Check['kind'];
}

export interface Checked {
  readonly verdicts: readonly Verdict[];
  /** The usage of the judges. */
  readonly uses: readonly CallUse[];
}

export interface CheckParts {
  readonly models: Models;
  readonly schemas: SchemaChecker;
}

/** An answer and its request. */
export interface Answered {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
}

/** One check after another. Throws the signal's reason. */
export async function check(
  { models, schemas }: CheckParts,
  checks: readonly Check[],
  answered: Answered,
  call: { readonly caller: Principal; readonly signal: AbortSignal },
): Promise<Checked> {
  const verdicts: Verdict[] = [];
  const uses: CallUse[] = [];
  for (const one of checks) verdicts.push({ kind: one.kind, ...(await verdictOf(one)) });
  return { verdicts, uses };

  async function verdictOf(one: Check): Promise<Judged> {
    switch (one.kind) {
      case 'contains': {
        const passed = answered.text.toLowerCase().includes(one.text.toLowerCase());
        return { passed, reason: `${passed ? 'has' : 'lacks'} "${one.text.slice(0, 100)}"` };
      }
      case 'json_schema':
        return schemas.judge(answered.text, JSON.stringify(one.schema));
      case 'judge': {
        const mark = drawMark();
        const asked = answered.messages.map(({ content }) => String(content)).join('\n\n');
        const messages = judgeMessages({ question: one.question, asked, answer: answered.text }, mark);
        const judge = { ...call, purpose: 'playground.judge' };
        const judged = await ask(models, { model: one.model, messages }, judge);
        if (judged.use !== undefined) uses.push(judged.use);
        return judged.completion === undefined
          ? { passed: null, reason: `the judge failed: ${judged.error.message}` }
          : readVerdict(textOf(judged.completion), mark);
      }
    }
  }
}
