/** The guards of the config, for the lists of interceptors and of guards. */
import type { ChatGuard } from 'plugboard/sdk';
import { Patterns } from './patterns.js';
import { guardRequest } from './request.js';
import type { GuardSettings } from './schema.js';

/** Where patterns are looked for: each character takes time. */
const MOST_CHARACTERS = 200_000;

export function configuredGuard({ patterns, window, maxCharacters }: GuardSettings): ChatGuard {
  const asked = new Patterns(patterns, 'request');
  const answered = new Patterns(patterns, 'answer');
  const most = maxCharacters ?? (asked.isEmpty ? undefined : MOST_CHARACTERS);
  const find = asked.isEmpty ? undefined : asked.find.bind(asked);
  return {
    ...(most !== undefined && { before: (request) => guardRequest(request, { most, window, find }) }),
    ...(!answered.isEmpty && { after: { window, begin: () => (text, from) => answered.find(text, from) } }),
  };
}
