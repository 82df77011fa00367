/** Requests against the page of limits, which every credential and none opens. */
import type { HostileCase } from '../case.js';

const status = (name: string, more: Partial<HostileCase>): HostileCase => ({
  name,
  path: '/rate_limit',
  ...more,
});

export const cases: readonly HostileCase[] = [
  status('no credential', {}),
  status('a scope of another plugin', { scope: 'chat' }),
  status('a user', { as: 'user' }),
  status('an application', { as: 'app' }),
  status('thousands of tags', { headers: { 'if-none-match': 'W/"a", '.repeat(1_500) } }),
  status('a tag of blanks and commas', { headers: { 'if-none-match': `W/"${' ,'.repeat(6_000)}` } }),
  status('a tag of quotes', { headers: { 'if-none-match': '"'.repeat(12_000) } }),
  status('a token of 10,000', { headers: { authorization: `token ${'a'.repeat(10_000)}` } }),
  status('a token of 40 letters that nobody has', { headers: { authorization: `token ${'f'.repeat(40)}` } }),
  status('many forwarded addresses', { headers: { 'x-forwarded-for': '::1, '.repeat(2_000) } }),
  status('a query of 3,000 names', { path: `/rate_limit?${'a=1&'.repeat(3_000)}` }),
  status('a body', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => `[${'{},'.repeat(300_000)}{}]`,
  }),
];
