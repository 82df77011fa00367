/** Accounts, newest first; an opened one shows missing requirements first. */
import { Badge, Drawer, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import {
  Ago,
  CopyBlock,
  CopyRequest,
  Empty,
  Failed,
  ListTable,
  Loading,
  Page,
  reactPage,
  RequestToCopy,
  SearchField,
  useList,
  useRead,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from './texts/index.js';

export const mount = reactPage(AccountsPage);

const PATH = '/v2/core/accounts';
const EXAMPLE = {
  method: 'POST',
  path: PATH,
  body: { contact_email: 'kim@example.com', configuration: { customer: {} } },
} as const;

interface Account {
  readonly id: string;
  readonly applied_configurations: readonly string[];
  readonly closed: boolean;
  readonly contact_email: string | null;
  readonly display_name: string | null;
  readonly created: string;
  readonly livemode: boolean;
  readonly requirements: {
    readonly entries: readonly {
      readonly description: string;
      readonly awaiting_action_from: string;
      readonly minimum_deadline?: { readonly status: string };
    }[];
  } | null;
}

function AccountsPage(): ReactNode {
  const t = useTexts(texts);
  const [{ closed, email, account }, setState] = useUrlState({
    closed: 'false',
    email: '',
    account: '',
    at: '',
  });
  const query = { closed, ...(email !== '' && { contact_email: email }) };
  const list = useList<{ data: Account[]; next_page_url: string | null }, Account>({
    path: PATH,
    query,
    paging: 'cursor',
    cursor: 'page',
    rows: ({ data }) => data,
    next: ({ next_page_url: url }) =>
      url === null ? null : new URLSearchParams(url.split('?')[1]).get('page'),
  });
  const columns: Column<Account>[] = [
    {
      key: 'account',
      title: t.account,
      cell: ({ display_name: name, contact_email: email, id }) => (
        <>
          <Text size="sm" fw={500} lineClamp={1} maw={280}>
            {name ?? email ?? id}
          </Text>
          <Text size="xs" c="dimmed">
            {name !== null && email !== null ? email : id}
          </Text>
        </>
      ),
    },
    {
      key: 'configurations',
      title: t.configurations,
      cell: ({ applied_configurations: names }) =>
        names.map((name) => (
          <Badge key={name} color="indigo" mr={4}>
            {name}
          </Badge>
        )),
    },
    {
      key: 'state',
      title: t.state,
      cell: (one) => <Badge color={one.closed ? 'gray' : 'green'}>{one.closed ? t.closed : t.open}</Badge>,
    },
    { key: 'created', title: t.created, cell: ({ created }) => <Ago at={created} /> },
  ];
  return (
    <Page
      title={t.accounts}
      summary={t.accountsSummary}
      actions={<CopyRequest request={{ path: PATH, query }} />}
    >
      <Group>
        <SearchField
          value={email}
          label={t.search}
          onSearch={(text) => setState({ email: text.trim(), at: '' })}
        />
        <SegmentedControl
          aria-label={t.state}
          value={closed}
          onChange={(next) => setState({ closed: next, at: '' })}
          data={[
            { value: 'false', label: t.open },
            { value: 'true', label: t.closed },
          ]}
        />
      </Group>
      <ListTable
        name={t.accounts}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        filtered={closed === 'true' || email !== ''}
        onOpen={({ id }) => setState({ account: id })}
        empty={
          <Empty title={t.none} action={<RequestToCopy request={EXAMPLE} />}>
            {t.noneHint}
          </Empty>
        }
      />
      {account !== '' && <Opened id={account} onClose={() => setState({ account: '' })} />}
    </Page>
  );
}

function Opened({ id, onClose }: { id: string; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const include = [
    'requirements',
    'identity',
    'defaults',
    'configuration.customer',
    'configuration.merchant',
    'configuration.recipient',
  ];
  const search = include.map((name, at) => `include[${at}]=${name}`).join('&');
  const { data, error, refetch } = useRead<Account>({ path: `${PATH}/${encodeURIComponent(id)}?${search}` });
  const entries = data?.requirements?.entries ?? [];
  return (
    <Drawer
      opened
      onClose={onClose}
      title={data?.display_name ?? data?.contact_email ?? id}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      {error !== null ? (
        <Failed error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Stack>
          <Title order={2}>{t.requirements}</Title>
          {entries.length === 0 ? (
            <Text size="sm">{t.noRequirements}</Text>
          ) : (
            <Stack gap="xs" component="ul" m={0} pl="md">
              {entries.map(({ description, awaiting_action_from: who, minimum_deadline: deadline }) => (
                <li key={description}>
                  <Text size="sm" ff="monospace">
                    {description}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {[deadline?.status, t.awaiting(who)].filter((part) => part !== undefined).join(' · ')}
                  </Text>
                </li>
              ))}
            </Stack>
          )}
          <CopyBlock text={JSON.stringify(data, null, 2)} label={t.json} />
        </Stack>
      )}
    </Drawer>
  );
}
