/** The shape of the data API's errors: four keys, always, and the code for proxies (RFC 9209). */
import type { Dialect } from 'plugboard/sdk';
import { errors } from './errors.js';

export const dialect: Dialect = {
  name: 'dataquery',
  render: (error) => {
    // Whoever met it, the guard or a query: clients know a store that is away by this API's own code.
    const { code, status, message, headers, fields } =
      error.code === 'unavailable' ? errors.SVC000({ headers: error.headers }) : error;
    return {
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'proxy-status': `PostgREST; error=${code}`,
        ...headers,
      },
      body: { code, message, details: fields.details ?? null, hint: fields.hint ?? null },
    };
  },
};
