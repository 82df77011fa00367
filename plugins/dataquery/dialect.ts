/** The shape of the data API's errors: four keys, always, and the code for proxies (RFC 9209). */
import { Type, type Dialect, type ServiceError } from 'plugboard/sdk';
import { errors } from './engine/base/errors.js';

export const dialect: Dialect = {
  name: 'dataquery',
  schema: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Unknown(),
    hint: Type.Union([Type.String(), Type.Null()]),
  }),
  render: (error) => {
    const { code, status, message, headers, fields } = ownError(error);
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

/** Maps the server's own refusals to the codes that clients of this API know. */
function ownError(error: ServiceError): ServiceError {
  const { headers, message } = error;
  switch (error.code) {
    // Whether the guard or a query met it.
    case 'unavailable':
      return errors.SVC000({ headers });
    case 'method_not_allowed':
      return errors.SVC117({ headers, message });
    default:
      return error;
  }
}
