/** The errors of the routes, with the messages that clients of this API match on. */
import { defineErrors, type InvalidRequest, type ServiceError } from 'plugboard/sdk';

const DOCUMENTATION = 'https://developer.github.com/v3/oauth_authorizations/';

export const errors = defineErrors({
  validation_failed: {
    status: 422,
    message: 'Validation Failed',
    when: 'A field is missing, not valid or taken; `errors` names each with its code. The note is called `description` there.',
  },
  invalid_body: {
    status: 422,
    message: 'Invalid request.\n\n{problem}',
    when: 'A field is unknown or of a wrong type.',
  },
  not_an_object: {
    status: 400,
    message: 'Body should be a JSON object',
    when: 'The body is empty, or JSON of another kind.',
  },
  authorization_not_found: {
    status: 404,
    message: 'Not Found',
    when: 'The authorization or the token does not exist, or belongs to another user or application.',
  },
  request_not_allowed: {
    status: 422,
    message: 'The application or its address is not known',
    when: 'No application has the client id, or the address to go back to is not below its URL.',
  },
  unknown_code: {
    status: 404,
    message: 'There is no such code, or it has expired: look at your device again',
    when: 'The code of a device does not exist, has expired or was decided on.',
  },
  too_many_codes: {
    status: 403,
    message: 'Too many wrong codes: try again in fifteen minutes',
    when: 'A user has entered twenty wrong codes of devices.',
  },
});

export type FieldCode = 'missing_field' | 'invalid' | 'already_exists' | 'custom';

export function fieldError(field: string, code: FieldCode, message?: string): ServiceError {
  return errors.validation_failed({
    errors: [{ resource: 'OauthAccess', code, field, ...(message !== undefined && { message }) }],
    documentationUrl: DOCUMENTATION,
  });
}

/** A request that its schema refused. */
export function invalid({ part, path, keyword, message }: InvalidRequest): ServiceError {
  if (part === 'querystring') return fieldError(path, 'custom', message);
  if (part !== 'body') return errors.authorization_not_found();
  if (path === '') return errors.not_an_object();
  const [field = ''] = path.split('.');
  if (keyword === 'required') return fieldError(field === 'note' ? 'description' : field, 'missing_field');
  if (keyword === 'additionalProperties')
    return errors.invalid_body({ values: { problem: `${JSON.stringify(path)} is not a permitted key.` } });
  if (field.endsWith('scopes')) return fieldError(field, 'custom', `${field} are invalid: ${message}`);
  if (keyword === 'maxLength') return fieldError(field, 'custom', message);
  const kind = field === 'note' || field === 'client_secret' ? 'a string' : 'a string or null';
  return errors.invalid_body({
    values: { problem: `For 'properties/${field}', the value is not ${kind}.` },
  });
}
