/** The shape of the data API's errors: four keys, always, and the code for proxies (RFC 9209). */
import type { Dialect } from 'plugboard/sdk';

export const dialect: Dialect = {
  name: 'dataquery',
  render: ({ code, status, message, headers, fields }) => ({
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${code}`,
      ...headers,
    },
    body: { code, message, details: fields.details ?? null, hint: fields.hint ?? null },
  }),
};
