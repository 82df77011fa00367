/** The endpoints: create, pause, delete; their deliveries are one click away. */
import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import {
  Ago,
  Confirm,
  CopyRequest,
  Empty,
  FormDialog,
  ListTable,
  RowButton,
  SecretDialog,
  useConsole,
  useList,
  useTexts,
  useWrite,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly paused: boolean;
  readonly paused_because: string | null;
  /** The plugin whose routes created it. */
  readonly managed_by: string | null;
  readonly created_at: string;
}

export function Endpoints(): ReactNode {
  const t = useTexts(texts);
  const { navigate, page, person } = useConsole();
  const path = `${page.prefix}/endpoints`;
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [deleting, setDeleting] = useState<Endpoint>();
  const list = useList<{ endpoints: Endpoint[] }, Endpoint>({
    path,
    paging: 'all',
    rows: ({ endpoints }) => endpoints,
  });
  const pause = useWrite<Endpoint>({
    changes: [page.prefix],
    done: ({ paused }) => (paused ? t.paused : t.resumed),
  });
  const mayWrite = person.access !== 'viewer';
  const columns: Column<Endpoint>[] = [
    {
      key: 'url',
      title: t.endpoint,
      cell: ({ id, url, description }) => (
        <>
          <Anchor
            component="button"
            size="sm"
            ta="left"
            style={{ overflowWrap: 'anywhere' }}
            title={t.showDeliveries}
            onClick={() => navigate(`/${page.plugin}/${page.id}?view=deliveries&endpoint=${id}`)}
          >
            {url}
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        </>
      ),
    },
    {
      key: 'types',
      title: t.types,
      cell: ({ types }) => (
        <Text size="sm" lineClamp={3} maw={300}>
          {types.join(', ')}
        </Text>
      ),
    },
    {
      key: 'state',
      title: t.state,
      cell: ({ paused, paused_because: why }) => (
        <Stack gap={2}>
          <Badge color={paused ? 'yellow' : 'green'}>{paused ? t.isPaused : t.isOn}</Badge>
          {why !== null && <Text size="xs">{why}</Text>}
        </Stack>
      ),
    },
    { key: 'from', title: t.managedBy, cell: ({ managed_by: plugin }) => plugin ?? undefined },
    { key: 'created', title: t.created, cell: ({ created_at: at }) => <Ago at={at} /> },
  ];
  const add = mayWrite && <Button onClick={() => setAdding(true)}>{t.addEndpoint}</Button>;
  return (
    <>
      <Group justify="flex-end">
        <CopyRequest request={{ path }} />
        {add}
      </Group>
      <ListTable
        name={t.endpoints}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <Empty title={t.noEndpoints} action={add}>
            {t.noEndpointsHint}
          </Empty>
        }
        actions={(endpoint) =>
          mayWrite &&
          endpoint.managed_by === null && (
            <>
              <RowButton
                label={endpoint.paused ? t.resumeOne(endpoint.url) : t.pauseOne(endpoint.url)}
                onClick={() =>
                  pause.mutate({
                    method: 'PATCH',
                    path: `${path}/${endpoint.id}`,
                    body: { paused: !endpoint.paused },
                  })
                }
              >
                {endpoint.paused ? t.resume : t.pause}
              </RowButton>
              <RowButton label={t.deleteOne(endpoint.url)} onClick={() => setDeleting(endpoint)}>
                {t.delete}
              </RowButton>
            </>
          )
        }
      />
      <FormDialog<{ secret: string }>
        opened={adding}
        title={t.addEndpoint}
        path={path}
        labels={t}
        changes={[page.prefix]}
        onClose={() => setAdding(false)}
        onWritten={(made) => {
          setAdding(false);
          setSecret(made.secret);
        }}
      />
      <SecretDialog title={t.secret} label={t.secret} secret={secret} onClose={() => setSecret(undefined)}>
        <Text size="sm">{t.secretHint}</Text>
      </SecretDialog>
      <Confirm
        title={t.deleteQuestion(deleting?.url ?? '')}
        action={t.delete}
        request={deleting && { method: 'DELETE', path: `${path}/${deleting.id}` }}
        changes={[page.prefix]}
        done={() => t.deleted}
        onClose={() => setDeleting(undefined)}
      >
        {t.deleteHint}
      </Confirm>
    </>
  );
}
