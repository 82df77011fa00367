/** The tokens of all users: owner, scopes, revocation. */
import { Badge, Code, Group, Text } from '@mantine/core';
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
import { texts } from './texts/index.js';

export const mount = reactPage(TokensPage);

interface Token {
  readonly id: number;
  readonly user: { readonly id: number; readonly login: string | null };
  readonly app: { readonly client_id: string; readonly name: string } | null;
  readonly note: string | null;
  readonly scopes: readonly string[];
  readonly fingerprint: string | null;
  readonly created_at: string;
}

function TokensPage(): ReactNode {
  const t = useTexts(texts);
  const { person, page } = useConsole();
  const path = `${page.prefix}/api/tokens`;
  const [{ user, app }, setState] = useUrlState({ user: '', app: '', at: '' });
  const [revoking, setRevoking] = useState<Token>();
  const query = { user, app };
  const list = useList<{ tokens: Token[]; next: number | null }, Token>({
    path,
    query,
    paging: 'cursor',
    rows: ({ tokens }) => tokens,
    next: ({ next }) => (next === null ? null : String(next)),
  });
  const nameOf = ({ note, app: of, id }: Token): string => note ?? of?.name ?? String(id);

  const columns: Column<Token>[] = [
    {
      key: 'user',
      title: t.user,
      cell: ({ user: { id, login } }) => (
        <Text size="sm" fw={500} lineClamp={1} maw={220}>
          {login ?? t.userGone(id)}
        </Text>
      ),
    },
    {
      key: 'note',
      title: t.token,
      cell: (token) => (
        <>
          <Text size="sm" lineClamp={1} maw={260}>
            {nameOf(token)}
          </Text>
          {token.fingerprint !== null && (
            <Text size="xs" c="dimmed" lineClamp={1} maw={260}>
              {token.fingerprint}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'app',
      title: t.app,
      cell: ({ app: of }) =>
        of === null ? (
          <Text size="sm" c="dimmed">
            {t.byHand}
          </Text>
        ) : (
          <>
            <Text size="sm" lineClamp={1} maw={220}>
              {of.name}
            </Text>
            <Code>{of.client_id}</Code>
          </>
        ),
    },
    {
      key: 'scopes',
      title: t.scopes,
      cell: ({ scopes }) =>
        scopes.length === 0 ? undefined : (
          <Group gap={4}>
            {scopes.map((scope) => (
              <Badge key={scope} variant="default">
                {scope}
              </Badge>
            ))}
          </Group>
        ),
    },
    { key: 'created', title: t.created, cell: ({ created_at: at }) => <Ago at={at} /> },
  ];
  return (
    <Page title={t.tokens} summary={t.tokensSummary} actions={<CopyRequest request={{ path, query }} />}>
      <Group>
        <SearchField
          value={user}
          label={t.filterUser}
          onSearch={(text) => setState({ user: text, at: '' })}
        />
        <SearchField value={app} label={t.filterApp} onSearch={(text) => setState({ app: text, at: '' })} />
      </Group>
      <ListTable
        name={t.tokens}
        list={list}
        columns={columns}
        rowKey={({ id }) => String(id)}
        filtered={user !== '' || app !== ''}
        actions={(token) =>
          person.access !== 'viewer' && (
            <RowButton label={t.revokeOne(nameOf(token))} onClick={() => setRevoking(token)}>
              {t.revoke}
            </RowButton>
          )
        }
        empty={<Empty title={t.noTokens}>{t.noTokensHint}</Empty>}
      />
      <Confirm
        title={t.revokeQuestion(revoking === undefined ? '' : nameOf(revoking))}
        action={t.revoke}
        request={revoking && { method: 'DELETE', path: `${path}/${revoking.id}` }}
        changes={[path]}
        done={() => t.tokenRevoked}
        onClose={() => setRevoking(undefined)}
      >
        {t.revokeHint}
      </Confirm>
    </Page>
  );
}
