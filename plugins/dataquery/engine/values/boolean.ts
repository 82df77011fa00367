/** boolean, with PostgreSQL's words for it. */
import { errors } from '../base/errors.js';
import { compareNumbers, scalarFromJson } from './number.js';
import type { Stored } from './stored.js';
import type { ValueType } from './type.js';

/** Unique prefixes count too: `t`, `ye`, `of`. */
const TRUE = /^(t(r(ue?)?)?|y(es?)?|on|1)$/i;
const FALSE = /^(f(a(l(se?)?)?)?|no?|off?|0)$/i;

export const boolean: ValueType = {
  name: 'boolean',
  family: 'boolean',
  element: undefined,
  ordered: true,
  equality: true,
  parse,
  fromJson: (value) => (typeof value === 'boolean' ? value : scalarFromJson(value, parse)),
  toJson: String,
  toText: String,
  compare: compareNumbers,
};

function parse(text: string): Stored {
  const word = text.trim();
  if (TRUE.test(word)) return true;
  if (FALSE.test(word)) return false;
  throw errors['22P02']({ values: { type: 'boolean', value: text } });
}
