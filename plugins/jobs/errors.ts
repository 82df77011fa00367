/** The errors of the operator's job routes. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  job_not_found: {
    status: 404,
    message: 'no job "{id}" is waiting or running',
    when: 'A job that does not exist or has ended is cancelled.',
  },
});
