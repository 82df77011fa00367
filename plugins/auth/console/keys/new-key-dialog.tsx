/** The form of a new key. */
import { Alert, Button, Collapse, Group, Modal, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, describe, useConsole, useRead, useTexts, useWrite } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { IssuedKey, Scope } from './key.js';
import { ScopeChoice } from './scope-choice.js';

interface NewKeyDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onMade(key: IssuedKey): void;
}

interface Values {
  name: string;
  scopes: string[];
  /** `2027-01-31`, or empty. */
  expires: string;
  owner: string;
  addresses: string[];
  publishable: boolean;
}

const EMPTY: Values = { name: '', scopes: [], expires: '', owner: '', addresses: [], publishable: false };
/** Members of the body to the fields that show their errors. */
const FIELDS: Readonly<Record<string, string>> = { expiresAt: 'expires' };

export function NewKeyDialog(props: NewKeyDialogProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t.makeKey}
      size="lg"
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <NewKeyForm {...props} />
    </Modal>
  );
}

function NewKeyForm({ onClose, onMade }: NewKeyDialogProps): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [more, setMore] = useState(false);
  // Members may not list all scopes: they grant those that they have.
  const { data } = useRead<{ scopes: Scope[] }>(
    person.access === 'member' ? undefined : { path: '/api/scopes' },
  );
  const scopes = data?.scopes ?? person.scopes.map((name) => ({ name, summary: name, plugin: '' }));
  const form = useForm<Values>({
    initialValues: EMPTY,
    validate: { scopes: (chosen) => (chosen.length === 0 ? t.chooseScope : null) },
  });
  const make = useWrite<IssuedKey>({ changes: ['/api/keys'], quiet: true });
  const send = ({ name, scopes: chosen, expires, owner, addresses, publishable }: Values): void =>
    make.mutate(
      {
        method: 'POST',
        path: '/api/keys',
        body: {
          name,
          scopes: chosen,
          ...(expires !== '' && { expiresAt: endOfDay(expires) }),
          ...(owner !== '' && { owner }),
          ...(addresses.length > 0 && { addresses }),
          ...(publishable && { publishable }),
        },
      },
      {
        onSuccess: onMade,
        onError: (error) => {
          const member = error instanceof ApiError ? error.member?.split(/[./[]/)[0] : undefined;
          if (member !== undefined) form.setFieldError(FIELDS[member] ?? member, error.message);
        },
      },
    );
  const shownAtField = Object.keys(form.errors).length > 0;
  return (
    <form onSubmit={form.onSubmit(send)} noValidate={false}>
      <Stack>
        {make.error !== null && !shownAtField && (
          <Alert role="alert" color="red" variant="light">
            {describe(make.error)}
          </Alert>
        )}
        <TextInput
          label={t.name}
          description={t.nameHint}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ScopeChoice scopes={scopes} {...form.getInputProps('scopes')} />
        <TextInput
          type="date"
          label={t.expires}
          description={t.expiresHint}
          {...form.getInputProps('expires')}
        />
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          aria-expanded={more}
          onClick={() => setMore(!more)}
          w="fit-content"
        >
          {t.more}
        </Button>
        <Collapse expanded={more}>
          <Stack>
            {person.access !== 'member' && (
              <TextInput label={t.owner} description={t.ownerHint} {...form.getInputProps('owner')} />
            )}
            <TagsInput
              label={t.addresses}
              description={t.addressesHint}
              {...form.getInputProps('addresses')}
            />
            <Switch
              label={t.publishable}
              description={t.publishableHint}
              {...form.getInputProps('publishable', { type: 'checkbox' })}
            />
          </Stack>
        </Collapse>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={make.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The last instant of the day in the person's time zone. */
function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}
