/** tsvector: the input of full text search, stored as its literal. */
import { parseVector, vectorText } from '../search/vector.js';
import { scalarFromJson } from './number.js';
import type { Stored } from './stored.js';
import { compareText } from '../base/text-order.js';
import type { ValueType } from './type.js';

const parse = (text: string): Stored => vectorText(parseVector(text));

export const tsvector: ValueType = {
  name: 'tsvector',
  family: 'tsvector',
  element: undefined,
  ordered: false,
  equality: true,
  parse,
  fromJson: (value) => scalarFromJson(value, parse),
  toJson: (value) => JSON.stringify(value),
  toText: String,
  compare: (a, b) => compareText(a as string, b as string),
};
