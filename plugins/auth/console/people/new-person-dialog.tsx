/** The form of a new person. */
import { Modal } from '@mantine/core';
import { bodySchema, Loading, SchemaForm, useOpenApi, useTexts, useWrite } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { USERS, type User } from './user.js';

interface NewPersonDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onMade(user: User): void;
}

const MEMBERS = ['login', 'name', 'email', 'access', 'password'];

export function NewPersonDialog({ opened, onClose, onMade }: NewPersonDialogProps): ReactNode {
  const t = useTexts(texts);
  const openApi = useOpenApi();
  const schema = openApi && bodySchema(openApi, 'post', USERS);
  const make = useWrite<User>({ changes: [USERS], done: ({ login }) => t.personAdded(login), quiet: true });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.addPerson}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      {schema === undefined ? (
        <Loading />
      ) : (
        <SchemaForm
          schema={schema}
          members={MEMBERS}
          labels={t}
          action={t.addPerson}
          busy={make.isPending}
          error={make.error}
          onCancel={onClose}
          onSubmit={(body) => make.mutate({ method: 'POST', path: USERS, body }, { onSuccess: onMade })}
        />
      )}
    </Modal>
  );
}
