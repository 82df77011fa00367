/** One person: access, password, second factor. */
import { Button, Divider, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import {
  bodySchema,
  Confirm,
  Failed,
  Loading,
  SchemaForm,
  useConsole,
  useOpenApi,
  useRead,
  useTexts,
  useWrite,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { SecondFactor } from './second-factor.js';
import { USERS, type User } from './user.js';

/** `id`: empty for nobody. */
export function PersonDrawer({ id, onClose }: { id: string; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const { data, error, refetch } = useRead<User>(
    id === '' ? undefined : { path: `${USERS}/${encodeURIComponent(id)}` },
  );
  const user = String(data?.id) === id ? data : undefined;
  return (
    <Drawer
      opened={id !== ''}
      onClose={onClose}
      title={user?.login ?? t.person}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      {error !== null && user === undefined ? (
        <Failed error={error} retry={refetch} />
      ) : user === undefined ? (
        <Loading />
      ) : (
        <Person key={user.id} user={user} onClose={onClose} />
      )}
    </Drawer>
  );
}

const MEMBERS = ['name', 'email', 'access', 'password'];

function Person({ user, onClose }: { user: User; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [deleting, setDeleting] = useState(false);
  const openApi = useOpenApi();
  const path = `${USERS}/${user.id}`;
  const schema = openApi && bodySchema(openApi, 'patch', `${USERS}/{id}`);
  const save = useWrite<User>({
    changes: [USERS, '/api/auth/sessions'],
    done: () => t.personSaved,
    quiet: true,
  });
  const { name, email, access } = user;
  const before: Record<string, unknown> = {
    name: name ?? '',
    email: email ?? '',
    access: access ?? undefined,
  };
  /** An emptied field is sent as null; unchanged ones are not sent, as a change of access ends the sessions. */
  const submit = (value: Record<string, unknown>): void => {
    const changed = MEMBERS.filter((member) => (value[member] ?? '') !== (before[member] ?? ''));
    const body = Object.fromEntries(changed.map((member) => [member, value[member] ?? null]));
    if (changed.length > 0) save.mutate({ method: 'PATCH', path, body });
  };
  const members = user.type === 'Organization' ? ['name', 'email'] : MEMBERS;
  if (person.access === 'viewer')
    return (
      <Text size="sm">{[name, email, access].filter((one) => one !== null).join(' · ') || t.noAccess}</Text>
    );
  return (
    <Stack gap="lg">
      {schema === undefined ? (
        <Loading />
      ) : (
        <SchemaForm
          schema={schema}
          members={members}
          labels={{ ...t, password: t.newPassword }}
          initial={before}
          action={t.save}
          busy={save.isPending}
          error={save.error}
          onSubmit={submit}
        />
      )}
      {user.type !== 'Organization' && (
        <>
          <Divider />
          <SecondFactor user={user} />
        </>
      )}
      <Divider />
      <Group justify="space-between">
        <Stack gap={0}>
          <Title order={2} size="h3">
            {t.deletePerson}
          </Title>
          <Text size="sm" c="dimmed">
            {t.deleteHint}
          </Text>
        </Stack>
        <Button color="red" variant="outline" onClick={() => setDeleting(true)}>
          {t.delete}
        </Button>
      </Group>
      <Confirm
        title={t.deleteQuestion(user.login)}
        action={t.delete}
        request={deleting ? { method: 'DELETE', path } : undefined}
        changes={[USERS]}
        done={() => t.personDeleted(user.login)}
        onDone={onClose}
        onClose={() => setDeleting(false)}
      >
        {t.deleteHint}
      </Confirm>
    </Stack>
  );
}
