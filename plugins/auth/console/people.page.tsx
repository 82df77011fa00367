/** People: who they are, what they may do with the server, how they log in. */
import { Badge, Button, Text } from '@mantine/core';
import {
  Ago,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { NewPersonDialog } from './people/new-person-dialog.js';
import { PersonDrawer } from './people/person-drawer.js';
import { USERS, type User } from './people/user.js';
import { texts } from './texts/index.js';

export const mount = reactPage(PeoplePage);

const NOBODY = { person: '' };

function PeoplePage(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [{ person: opened }, open] = useUrlState(NOBODY);
  const [adding, setAdding] = useState(false);
  const list = useList<{ users: User[]; total: number }, User>({
    path: USERS,
    paging: 'offset',
    rows: ({ users }) => users,
    total: ({ total }) => total,
  });
  const columns: Column<User>[] = [
    {
      key: 'login',
      title: t.login,
      cell: ({ login, name }) => (
        <>
          <Text size="sm" fw={500}>
            {login}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} maw={240}>
            {name}
          </Text>
        </>
      ),
    },
    {
      key: 'access',
      title: t.access,
      cell: ({ access, type }) =>
        type === 'Organization' ? t.organization : access === null ? t.noAccess : <Badge>{t[access]}</Badge>,
    },
    {
      key: 'twoFactor',
      title: t.twoFactor,
      cell: ({ twoFactor, hasPassword }) => (twoFactor ? t.on : hasPassword ? t.off : undefined),
    },
    { key: 'email', title: t.email, cell: ({ email }) => email ?? undefined },
    { key: 'created', title: t.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ];
  const add = person.access !== 'viewer' && <Button onClick={() => setAdding(true)}>{t.addPerson}</Button>;
  return (
    <Page
      title={t.people}
      summary={t.peopleSummary}
      actions={
        <>
          <CopyRequest request={{ path: USERS }} />
          {add}
        </>
      }
    >
      <ListTable
        name={t.people}
        list={list}
        columns={columns}
        rowKey={({ id }) => String(id)}
        onOpen={({ id }) => open({ person: String(id) })}
        empty={
          <Empty title={t.noPeople} action={add}>
            {t.noPeopleHint}
          </Empty>
        }
      />
      <NewPersonDialog
        opened={adding}
        onClose={() => setAdding(false)}
        onMade={({ id }) => {
          setAdding(false);
          open({ person: String(id) });
        }}
      />
      <PersonDrawer id={opened} onClose={() => open(NOBODY)} />
    </Page>
  );
}
