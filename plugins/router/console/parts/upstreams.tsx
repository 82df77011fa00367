/** The upstreams, with their state and their models in trouble. */
import { ActionIcon, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { DotsVerticalIcon } from '@radix-ui/react-icons';
import { Ago, Empty, ListTable, useList, useTexts, type Column } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { milliseconds } from './figures.js';
import { PATH, type Upstream } from './upstream.js';
import { NewKey, NewUpstream, Remove, Try } from './upstream-dialogs.js';

type Action = 'add' | 'try' | 'key' | 'remove';

export function Upstreams(): ReactNode {
  const t = useTexts(texts);
  const [open, setOpen] = useState<{ action: Action; upstream?: Upstream } | undefined>();
  const close = (): void => setOpen(undefined);
  const list = useList<{ upstreams: Upstream[] }, Upstream>({
    path: PATH,
    paging: 'all',
    rows: ({ upstreams }) => upstreams,
  });
  const columns: Column<Upstream>[] = [
    {
      key: 'name',
      title: t.name,
      cell: ({ name, baseUrl }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} maw={260}>
            {baseUrl}
          </Text>
        </>
      ),
    },
    { key: 'health', title: t.health, cell: (upstream) => <Health upstream={upstream} /> },
    { key: 'calls', title: t.callsMade, align: 'right', cell: ({ calls }) => calls.toLocaleString() },
    { key: 'failures', title: t.failures, align: 'right', cell: ({ failures }) => failures.toLocaleString() },
    { key: 'inFlight', title: t.inFlight, align: 'right', cell: ({ inFlight }) => inFlight },
    {
      key: 'firstToken',
      title: t.firstToken,
      align: 'right',
      cell: ({ firstToken }) => milliseconds(firstToken),
    },
    { key: 'latency', title: t.latency, align: 'right', cell: ({ latency }) => milliseconds(latency) },
  ];
  const add = <Button onClick={() => setOpen({ action: 'add' })}>{t.addUpstream}</Button>;
  return (
    <>
      {(list.rows?.length ?? 0) > 0 && <Group justify="flex-end">{add}</Group>}
      <ListTable
        name={t.upstreams}
        list={list}
        columns={columns}
        rowKey={({ name }) => name}
        empty={
          <Empty title={t.noUpstreams} action={add}>
            {t.noUpstreamsHint}
          </Empty>
        }
        actions={(upstream) => (
          <Actions upstream={upstream} onChoose={(action) => setOpen({ action, upstream })} />
        )}
      />
      {open?.action === 'add' && <NewUpstream onClose={close} />}
      {open?.action === 'try' && <Try upstream={open.upstream!} onClose={close} />}
      {open?.action === 'key' && <NewKey upstream={open.upstream!} onClose={close} />}
      {open?.action === 'remove' && <Remove upstream={open.upstream!} onClose={close} />}
    </>
  );
}

function Actions({ upstream, onChoose }: { upstream: Upstream; onChoose(action: Action): void }): ReactNode {
  const t = useTexts(texts);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(upstream.name)}>
          <DotsVerticalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('try')}>{t.try}</Menu.Item>
        {upstream.source === 'api' && (
          <>
            <Menu.Item onClick={() => onChoose('key')}>{t.newKey}</Menu.Item>
            <Menu.Item color="red" onClick={() => onChoose('remove')}>
              {t.remove}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Health({ upstream: { circuit, failuresInARow, retryAt, keys } }: { upstream: Upstream }): ReactNode {
  const t = useTexts(texts);
  const resting = keys.filter(({ restsUntil }) => restsUntil !== null).length;
  const troubled = keys
    .flatMap(({ models }) => models)
    .filter((one) => one.circuit !== 'closed' || one.retryAt !== null || one.failuresInARow > 0);
  // Before enough failures open the circuit, the last calls have failed all the same.
  const failed = Math.max(failuresInARow, ...troubled.map((one) => one.failuresInARow));
  const [colour, word] =
    circuit === 'open'
      ? ['red', t.down]
      : circuit === 'half-open'
        ? ['yellow', t.halfOpen]
        : failed > 0
          ? ['yellow', t.failing(failed)]
          : ['green', t.healthy];
  return (
    <Stack gap={4}>
      <Badge color={colour}>{word}</Badge>
      {retryAt !== null && (
        <Text size="xs" c="dimmed" component="div">
          {t.retryAt} <Ago at={retryAt} />
        </Text>
      )}
      {resting > 0 && <Badge color="yellow">{t.keysRest(resting)}</Badge>}
      {troubled.slice(0, 5).map(({ model, lastFailure }) => (
        <Text key={model} size="xs" c="dimmed">
          {model}: {lastFailure}
        </Text>
      ))}
    </Stack>
  );
}
