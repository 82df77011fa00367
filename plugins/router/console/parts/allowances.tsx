/** Who may call which models, and how much: those of the config, and those that are made here. */
import { ActionIcon, Badge, Button, Group, Menu, Modal, Text } from '@mantine/core';
import { DotsVerticalIcon } from '@radix-ui/react-icons';
import {
  Confirm,
  Empty,
  ListTable,
  SchemaForm,
  useConsole,
  useList,
  useTexts,
  useWrite,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { bodyOf, FORM, formOf, PATH, whoOf, type Allowance } from './allowance.js';

type Open = { readonly action: 'edit'; readonly allowance?: Allowance } | Removing;
interface Removing {
  readonly action: 'remove';
  readonly allowance: Allowance;
}

export function Allowances(): ReactNode {
  const t = useTexts(texts);
  const mayWrite = useConsole().person.access === 'admin';
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const list = useList<{ allowances: Allowance[] }, Allowance>({
    path: PATH,
    paging: 'all',
    rows: ({ allowances }) => allowances,
  });
  const columns: Column<Allowance>[] = [
    {
      key: 'name',
      title: t.name,
      cell: ({ name, source }) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {source === 'config' && <Badge color="gray">{t.inConfig}</Badge>}
        </Group>
      ),
    },
    {
      key: 'who',
      title: t.about,
      cell: (allowance) => {
        const who = whoOf(allowance);
        return who === undefined ? t.everybody : `${t.whoIs[who.about]} ${who.who}`;
      },
    },
    { key: 'models', title: t.mayCall, cell: ({ models }) => models?.join(', ') ?? t.all },
    {
      key: 'budget',
      title: t.budget,
      align: 'right',
      cell: ({ budget }) => budget && t.usdPer(budget.usd, budget.per),
    },
    {
      key: 'limits',
      title: t.limitsAMinute,
      cell: ({ limits, streams }) =>
        [
          ...limits.flatMap(({ models, requests, tokens }) => {
            const of = models.includes('*') ? '' : ` (${models.join(', ')})`;
            return [
              requests === undefined ? [] : [t.requestsAMinute(requests) + of],
              tokens === undefined ? [] : [t.tokensAMinute(tokens) + of],
            ].flat();
          }),
          ...(streams === undefined ? [] : [t.streamsAtOnce(streams)]),
        ].join(', '),
    },
  ];
  const add = mayWrite && <Button onClick={() => setOpen({ action: 'edit' })}>{t.newAllowance}</Button>;
  return (
    <>
      {(list.rows?.length ?? 0) > 0 && <Group justify="flex-end">{add}</Group>}
      <ListTable
        name={t.allowances}
        list={list}
        columns={columns}
        rowKey={({ name }) => name}
        empty={
          <Empty title={t.noAllowances} action={add}>
            {t.noAllowancesHint}
          </Empty>
        }
        {...(mayWrite && {
          actions: (allowance: Allowance) => <Actions allowance={allowance} onChoose={setOpen} />,
        })}
      />
      {open?.action === 'edit' && <Edit {...open} onClose={close} />}
      {open?.action === 'remove' && <Remove allowance={open.allowance} onClose={close} />}
    </>
  );
}

/** Those of the config are changed there. */
function Actions({ allowance, onChoose }: { allowance: Allowance; onChoose(open: Open): void }): ReactNode {
  const t = useTexts(texts);
  if (allowance.source === 'config') return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(allowance.name)}>
          <DotsVerticalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose({ action: 'edit', allowance })}>{t.edit}</Menu.Item>
        <Menu.Item color="red" onClick={() => onChoose({ action: 'remove', allowance })}>
          {t.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Edit({ allowance, onClose }: { allowance?: Allowance; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const save = useWrite<Allowance>({
    changes: [PATH],
    done: ({ name }) => t.allowanceKept(name),
    quiet: true,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={allowance?.name ?? t.newAllowance}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <SchemaForm
        schema={FORM}
        {...(allowance !== undefined && {
          members: Object.keys(FORM.properties).filter((name) => name !== 'name'),
        })}
        initial={allowance === undefined ? { about: 'key', per: 'month' } : formOf(allowance)}
        labels={t.allowanceLabels}
        action={allowance === undefined ? t.newAllowance : t.save}
        busy={save.isPending}
        error={save.error}
        onCancel={onClose}
        onSubmit={(form) => {
          const name = allowance?.name ?? String(form['name']);
          const path = `${PATH}/${encodeURIComponent(name)}`;
          save.mutate({ method: 'PUT', path, body: bodyOf(form, allowance) }, { onSuccess: onClose });
        }}
      />
    </Modal>
  );
}

function Remove({ allowance: { name }, onClose }: { allowance: Allowance; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  return (
    <Confirm
      title={t.removeAllowance(name)}
      action={t.remove}
      request={{ method: 'DELETE', path: `${PATH}/${encodeURIComponent(name)}` }}
      changes={[PATH]}
      done={() => t.allowanceRemoved(name)}
      onClose={onClose}
    >
      {t.removeAllowanceHint}
    </Confirm>
  );
}
