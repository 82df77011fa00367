/** `fts`, `plfts`, `phfts` and `wfts`: `@@` of a column that holds words. */
import { errors } from '../base/errors.js';
import type { Operation } from '../query/query.js';
import { configurationNamed } from '../search/configuration.js';
import { matches } from '../search/match.js';
import { searchQuery } from '../search/query.js';
import type { Configuration } from '../search/words.js';
import type { Stored } from '../values/stored.js';
import { vectorIn } from '../words/document.js';
import type { Condition } from './level.js';
import type { Value } from './value.js';

export function textSearch(
  value: Value,
  { mode, language, value: text }: Extract<Operation, { kind: 'search' }>,
): Condition {
  const configuration = configurationNamed(language);
  const vector = vectorIn(value.type, configuration);
  if (vector === undefined) {
    throw errors['42883']({
      values: { left: value.type.name, operator: '@@', right: 'tsquery' },
      hint: 'No operator matches the given name and argument types. You might need to add explicit type casts.',
    });
  }
  const query = searchQuery(mode, text, configuration);
  const test = (stored: Stored): boolean => query !== undefined && matches(vector(stored), query);
  const member = kept(value, configuration);
  return {
    kind: 'test',
    value,
    test,
    pattern: undefined,
    ...(member !== undefined && { words: { member, query } }),
  };
}

/** The words of a tsvector are fixed; those of a text were made by one configuration. */
function kept({ words, type, plain }: Value, configuration: Configuration): string | undefined {
  if (words === undefined || !plain) return undefined;
  const isSame = type.family === 'tsvector' || configurationNamed(words.configuration) === configuration;
  return isSame ? words.member : undefined;
}
