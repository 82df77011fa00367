/** Words that change what the rest of a sentence states: "I hope to visit Japan" is not a visit. */
import { UNSPACED } from '../analyzer/language.js';
import qualifiers from './qualifiers.json' with { type: 'json' };

const FORMS: readonly (readonly string[])[] = Object.values(qualifiers).flat();

interface Side {
  readonly text: string;
  /** In lower case. */
  readonly words: readonly string[];
}

/** The qualifier of a sentence that a fact has in no form; undefined if it has them all. */
export function droppedQualifier(fact: Side, source: Side): string | undefined {
  const lacking = FORMS.filter((forms) => !forms.some((form) => isIn(fact, form)));
  return lacking.flat().find((form) => isIn(source, form));
}

function isIn({ text, words }: Side, form: string): boolean {
  return UNSPACED.test(form) ? text.includes(form) : words.includes(form);
}
