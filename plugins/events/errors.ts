/** The errors of the events routes. */
import { defineErrors, type ServiceError } from 'plugboard/sdk';

const PAGINATION_LIMITED =
  'In order to keep the API fast for everyone, pagination is limited for this resource. ' +
  'Check the rel=last link relation in the Link response header to see how far back you can traverse.';

export const errors = defineErrors({
  moved: {
    status: 301,
    message: 'Moved Permanently',
    when: 'the repository was renamed; `Location` and `url` say where the feed is now',
  },
  not_found: {
    status: 404,
    message: 'Not Found',
    when: 'the user, organization or repository does not exist, or the caller may not know that it does',
  },
  pagination_limited: {
    status: 422,
    message: PAGINATION_LIMITED,
    when: 'a page after the tenth was requested',
  },
  too_many_streams: {
    status: 503,
    message: '{most} streams of events are open; try again later',
    when: 'a feed is followed while `maxStreams` streams are open on this instance',
  },
  too_many_own_streams: {
    status: 429,
    message: 'you have {most} streams of events open, the most of one caller; close one',
    when: 'a feed is followed while the caller has `maxStreamsPerCaller` streams open on this instance',
  },
  not_an_object: {
    status: 400,
    message: 'Body should be a JSON object',
    when: 'the body is missing, or JSON that is not an object',
  },
  validation_failed: {
    status: 422,
    message: 'Validation Failed',
    when: 'a field of the body is missing or wrong; `errors` names the resource, the field and what is wrong',
  },
});

/** One entry of `errors`. */
export interface FieldError {
  readonly resource: string;
  readonly field?: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'custom';
  readonly message?: string;
}

export function validationFailed(...fields: FieldError[]): ServiceError {
  return errors.validation_failed({ errors: fields });
}
