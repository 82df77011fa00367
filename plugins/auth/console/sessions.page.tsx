/** Sessions of people who are logged in, and one's own password. */
import { Badge, Button, Text } from '@mantine/core';
import {
  Ago,
  Confirm,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  RowButton,
  useConsole,
  useList,
  useTexts,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { browserName } from './sessions/browser-name.js';
import { PasswordDialog } from './sessions/password-dialog.js';
import { texts } from './texts/index.js';

export const mount = reactPage(SessionsPage);

interface Session {
  readonly id: string;
  readonly login: string;
  readonly address: string | null;
  readonly agent: string | null;
  readonly current: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const SESSIONS = '/api/auth/sessions';

function SessionsPage(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [ending, setEnding] = useState<Session>();
  const [changing, setChanging] = useState(false);
  const list = useList<{ sessions: Session[] }, Session>({
    path: SESSIONS,
    paging: 'all',
    rows: ({ sessions }) => sessions,
  });
  const columns: Column<Session>[] = [
    {
      key: 'login',
      title: t.login,
      cell: ({ login, current }) => (
        <>
          <Text size="sm" fw={500}>
            {login}
          </Text>
          {current && (
            <Badge color="indigo" size="sm">
              {t.thisBrowser}
            </Badge>
          )}
        </>
      ),
    },
    { key: 'address', title: t.address, cell: ({ address }) => address ?? undefined },
    {
      key: 'agent',
      title: t.browser,
      cell: ({ agent }) =>
        agent === null ? undefined : (
          <Text size="sm" lineClamp={1} maw={320} title={agent}>
            {browserName(agent)}
          </Text>
        ),
    },
    { key: 'created', title: t.begun, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { key: 'expires', title: t.ends, cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
  ];
  return (
    <Page
      title={t.sessions}
      summary={t.sessionsSummary}
      actions={
        <>
          <CopyRequest request={{ path: SESSIONS }} />
          {person.login !== null && <Button onClick={() => setChanging(true)}>{t.changePassword}</Button>}
        </>
      }
    >
      <ListTable
        name={t.sessions}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<Empty title={t.noSessions} />}
        actions={(session) =>
          !session.current &&
          person.access !== 'viewer' && (
            <RowButton label={t.endSession(session.login)} onClick={() => setEnding(session)}>
              {t.end}
            </RowButton>
          )
        }
      />
      <PasswordDialog opened={changing} onClose={() => setChanging(false)} />
      <Confirm
        title={t.endQuestion(ending?.login ?? '')}
        action={t.end}
        request={ending && { method: 'DELETE', path: `${SESSIONS}/${ending.id}` }}
        changes={[SESSIONS]}
        done={() => t.sessionEnded}
        onClose={() => setEnding(undefined)}
      >
        {t.endHint}
      </Confirm>
    </Page>
  );
}
