/** Changes the password of the person who is logged in. */
import { Modal } from '@mantine/core';
import { SchemaForm, useTexts, useWrite, type ObjectSchema } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';

/** Members may not read the OpenAPI document. */
const SCHEMA: ObjectSchema = {
  properties: { currentPassword: { type: 'string' }, newPassword: { type: 'string', minLength: 12 } },
  required: ['currentPassword', 'newPassword'],
};

export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const change = useWrite({ changes: ['/api/auth/sessions'], done: () => t.passwordChanged, quiet: true });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.changePassword}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <SchemaForm
        schema={SCHEMA}
        labels={t}
        action={t.changePassword}
        busy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={(body) =>
          change.mutate({ method: 'POST', path: '/api/auth/password', body }, { onSuccess: onClose })
        }
      />
    </Modal>
  );
}
