/** People: who they are, what they may do with the server, how they log in. */
import { Badge, Button, Text } from '@mantine/core';
import {
  Ago,
  CopyRequest,
  Empty,
  FormDialog,
  ListTable,
  Page,
  reactPage,
  SearchField,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { PersonDrawer } from './people/person-drawer.js';
import { USERS, type User } from './people/user.js';
import { texts } from './texts/index.js';

export const mount = reactPage(PeoplePage);

function PeoplePage(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [{ person: opened, search }, setState] = useUrlState({ person: '', search: '', at: '' });
  const open = (id: string): void => setState({ person: id });
  const [adding, setAdding] = useState(false);
  const query = { search };
  const list = useList<{ users: User[]; total: number; next: string | null }, User>({
    path: USERS,
    query,
    paging: 'cursor',
    rows: ({ users }) => users,
    total: ({ total }) => total,
    next: ({ next }) => next,
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
          <CopyRequest request={{ path: USERS, query }} />
          {add}
        </>
      }
    >
      <SearchField
        value={search}
        label={t.searchPeople}
        onSearch={(text) => setState({ search: text, at: '' })}
      />
      <ListTable
        name={t.people}
        list={list}
        filtered={search !== ''}
        columns={columns}
        rowKey={({ id }) => String(id)}
        onOpen={({ id }) => open(String(id))}
        empty={
          <Empty title={t.noPeople} action={add}>
            {t.noPeopleHint}
          </Empty>
        }
      />
      <FormDialog<User>
        opened={adding}
        title={t.addPerson}
        path={USERS}
        members={['login', 'name', 'email', 'access', 'password']}
        labels={t}
        changes={[USERS]}
        done={({ login }) => t.personAdded(login)}
        onClose={() => setAdding(false)}
        onWritten={({ id }) => {
          setAdding(false);
          open(String(id));
        }}
      />
      <PersonDrawer id={opened} onClose={() => open('')} />
    </Page>
  );
}
