/** The limit on metadata, counted after the merge. */
import { MAX_METADATA } from '../schema/fields.js';
import type { Rule } from './attempt.js';

const tooMany: Rule = ({ after }) => {
  const places: [string, object][] = [
    ['metadata', after.metadata],
    ['identity.individual.metadata', after.identity?.individual?.metadata ?? {}],
  ];
  const full = places.find(([, metadata]) => Object.keys(metadata).length > MAX_METADATA);
  return full === undefined
    ? undefined
    : { code: 'invalid_fields', message: `${full[0]} must not have more than ${MAX_METADATA} keys` };
};

export const metadataRules: readonly Rule[] = [tooMany];
