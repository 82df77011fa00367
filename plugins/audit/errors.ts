/** Errors of the audit log. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  copy_failed: {
    status: 503,
    message: 'nothing was changed: the copy of the audit record, which is required, cannot be written',
    when: 'The file or the webhook of `providers.audit.copy` does not take the record, and `required` is on.',
  },
});
