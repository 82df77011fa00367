/** Errors of the directory. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  login_taken: {
    status: 409,
    message: 'the login "{login}" is taken',
    when: 'Creating a user with a login that exists, whatever its case.',
  },
  number_taken: {
    status: 409,
    message: 'the number {id} is that of "{login}"',
    when: 'Adding an account under a number that another account has.',
  },
});
