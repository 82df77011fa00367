/** API keys: create, search, inspect, rotate, revoke. */
import { Badge, Button, Code, Group, SegmentedControl, Text } from '@mantine/core';
import {
  Ago,
  Confirm,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  RowButton,
  SearchField,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { IssuedDialog } from './keys/issued-dialog.js';
import { KeyDrawer } from './keys/key-drawer.js';
import { STATE_COLOURS, stateOf, type IssuedKey, type Key } from './keys/key.js';
import { NewKeyDialog } from './keys/new-key-dialog.js';
import { ScopeList } from './keys/scope-list.js';
import { texts } from './texts/index.js';

export const mount = reactPage(KeysPage);

const KEYS = '/api/keys';
function KeysPage(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [{ search, state, key: opened }, setState] = useUrlState({
    search: '',
    state: 'active',
    key: '',
    at: '',
  });
  const [making, setMaking] = useState(false);
  const [issued, setIssued] = useState<IssuedKey>();
  const [revoking, setRevoking] = useState<Key>();
  const [rotating, setRotating] = useState<Key>();
  const query = { search, state: state === 'all' ? undefined : state };
  const list = useList<{ keys: Key[]; total: number; next: string | null }, Key>({
    path: KEYS,
    query,
    paging: 'cursor',
    rows: ({ keys }) => keys,
    total: ({ total }) => total,
    next: ({ next }) => next,
  });
  const mayWrite = person.access !== 'viewer';

  const columns: Column<Key>[] = [
    {
      key: 'name',
      title: t.name,
      cell: ({ name, owner }) => (
        <>
          <Text size="sm" fw={500} lineClamp={1} maw={260}>
            {name}
          </Text>
          {owner !== null && (
            <Text size="xs" c="dimmed">
              {t.owner}: {owner}
            </Text>
          )}
        </>
      ),
    },
    { key: 'key', title: t.key, cell: ({ preview }) => <Code>{preview}</Code> },
    { key: 'scopes', title: t.scopes, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    {
      key: 'lastUsed',
      title: t.lastUsed,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <Text size="sm" c="dimmed">
            {t.never}
          </Text>
        ) : (
          <Ago at={lastUsedAt} />
        ),
    },
    { key: 'created', title: t.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      key: 'state',
      title: t.state,
      cell: (key) => <Badge color={STATE_COLOURS[stateOf(key)]}>{t[stateOf(key)]}</Badge>,
    },
  ];

  const make = mayWrite && <Button onClick={() => setMaking(true)}>{t.makeKey}</Button>;
  return (
    <Page
      title={t.keys}
      summary={t.keysSummary}
      actions={
        <>
          <CopyRequest request={{ path: KEYS, query }} />
          {make}
        </>
      }
    >
      <Group justify="space-between">
        <SearchField
          value={search}
          label={t.searchKeys}
          onSearch={(text) => setState({ search: text, at: '' })}
        />
        <SegmentedControl
          aria-label={t.state}
          value={state}
          onChange={(next) => setState({ state: next, at: '' })}
          data={[
            { value: 'active', label: t.active },
            { value: 'revoked', label: t.revoked },
            { value: 'expired', label: t.expired },
            { value: 'all', label: t.all },
          ]}
        />
      </Group>
      <ListTable
        name={t.keys}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => setState({ key: id })}
        filtered={search !== '' || state !== 'active'}
        actions={(key) =>
          stateOf(key) === 'active' &&
          mayWrite && (
            <>
              <RowButton label={t.rotateKey(key.name)} onClick={() => setRotating(key)}>
                {t.rotate}
              </RowButton>
              <RowButton label={t.revokeKey(key.name)} onClick={() => setRevoking(key)}>
                {t.revoke}
              </RowButton>
            </>
          )
        }
        empty={
          <Empty title={t.noKeys} action={make}>
            {t.noKeysHint}
          </Empty>
        }
      />
      <NewKeyDialog
        opened={making}
        onClose={() => setMaking(false)}
        onMade={(key) => {
          setMaking(false);
          setIssued(key);
        }}
      />
      <KeyDrawer id={opened} onClose={() => setState({ key: '' })} />
      <IssuedDialog issued={issued} onClose={() => setIssued(undefined)} />
      <Confirm<IssuedKey>
        title={t.rotateQuestion(rotating?.name ?? '')}
        action={t.rotate}
        request={rotating && { method: 'POST', path: `${KEYS}/${rotating.id}/rotate`, body: {} }}
        changes={[KEYS]}
        onDone={setIssued}
        onClose={() => setRotating(undefined)}
      >
        {t.rotateHint}
      </Confirm>
      <Confirm<Key>
        title={t.revokeQuestion(revoking?.name ?? '')}
        action={t.revoke}
        request={revoking && { method: 'DELETE', path: `${KEYS}/${revoking.id}` }}
        changes={[KEYS]}
        done={({ name }) => t.keyRevoked(name)}
        onClose={() => setRevoking(undefined)}
      >
        {t.revokeHint}
      </Confirm>
    </Page>
  );
}
