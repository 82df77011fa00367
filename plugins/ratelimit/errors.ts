/** The limiter's errors. Clients of the github dialect branch on parts of the messages. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  rate_limit_exceeded: {
    status: 429,
    message: 'rate limit of "{category}" reached: {limit} {unit} in {window} s; try again in {seconds} s',
    when: 'The caller used up the limit of the category; `retry-after` says when the window ends. In the github dialect: 403, `x-ratelimit-remaining: 0`.',
  },
  secondary_rate_limit: {
    status: 403,
    message: 'You have exceeded a secondary rate limit. Please wait before you try again.',
    when: 'The caller sends too many requests at a time, or too many in a minute; see `retry-after`.',
  },
  rate_limit_off: {
    status: 404,
    message: 'Rate limiting is not enabled.',
    when: 'The config says `active: false`.',
  },
});
