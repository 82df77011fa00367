/** One feed, reloaded when something new arrives while it is watched; an event opens with all its data. */
import { Badge, Button, Drawer, Group, Select, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import {
  Ago,
  CopyBlock,
  CopyRequest,
  Empty,
  FormDialog,
  ListTable,
  NoMatch,
  useConsole,
  useList,
  useTexts,
  useUrlState,
  type Column,
} from 'plugboard/console';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { follow } from './follow.js';

interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly actor: { readonly login: string };
  readonly repo: { readonly name: string };
  readonly public?: boolean;
  readonly created_at: string;
}

/** `NAME`: what the person enters. */
const FEEDS = {
  all: '/events',
  repository: '/repos/NAME/events',
  network: '/networks/NAME/events',
  organization: '/orgs/NAME/events',
  person: '/users/NAME/events',
  received: '/users/NAME/received_events',
} as const;
type Feed = keyof typeof FEEDS;

/** Milliseconds. */
const PAUSE = 300;

export function Feeds(): ReactNode {
  const t = useTexts(texts);
  const { page, person, fetch } = useConsole();
  const [{ feed, name, watch }, setState] = useUrlState({ feed: 'all', name: '', watch: '' });
  const [opened, setOpened] = useState<FeedEvent>();
  const [publishing, setPublishing] = useState(false);
  const kind: Feed = feed in FEEDS ? (feed as Feed) : 'all';
  const isNamed = kind !== 'all';
  const path = `${page.prefix}${FEEDS[kind].replace('NAME', encodeName(name))}`;
  const list = useList<FeedEvent[], FeedEvent>({
    // Without a name there is nothing to request.
    path: isNamed && name === '' ? `${page.prefix}/events` : path,
    paging: 'all',
    rows: (events) => events,
  });
  const isWatched = watch !== '' && !(isNamed && name === '');
  const { reload } = list;
  const look = useRef(reload);
  look.current = reload;
  useEffect(() => {
    if (!isWatched) return undefined;
    const leave = new AbortController();
    void follow(path, { fetch, look: () => look.current(), signal: leave.signal });
    return () => leave.abort();
  }, [isWatched, path, fetch]);
  const publish = person.access !== 'viewer' && (
    <Button onClick={() => setPublishing(true)}>{t.publish}</Button>
  );
  const columns: Column<FeedEvent>[] = [
    {
      key: 'type',
      title: t.event,
      cell: ({ type }) => (
        <Text size="sm" fw={500}>
          {type}
        </Text>
      ),
    },
    { key: 'actor', title: t.actor, cell: ({ actor }) => actor.login },
    { key: 'repo', title: t.repository, cell: ({ repo }) => repo.name },
    {
      key: 'public',
      title: t.seenBy,
      cell: ({ public: isPublic = true }) => (
        <Badge color={isPublic ? 'green' : 'gray'}>{isPublic ? t.everybody : t.members}</Badge>
      ),
    },
    { key: 'at', title: t.when, cell: ({ created_at: at }) => <Ago at={at} /> },
  ];
  return (
    <>
      <Group align="flex-end" gap="sm">
        <Select
          label={t.feed}
          value={kind}
          onChange={(next) => setState({ feed: next ?? 'all' })}
          data={(Object.keys(FEEDS) as Feed[]).map((value) => ({ value, label: t.kinds[value] }))}
          allowDeselect={false}
        />
        {isNamed && <NameField value={name} onName={(next) => setState({ name: next })} />}
        <Switch
          label={t.watch}
          checked={watch !== ''}
          onChange={({ currentTarget }) => setState({ watch: currentTarget.checked ? 'on' : '' })}
          mb={8}
        />
        <CopyRequest request={{ path }} />
        {publish}
      </Group>
      {isNamed && name === '' ? (
        <Empty title={t.nameIt}>{t.nameItHint}</Empty>
      ) : (
        <ListTable
          name={t.kinds[kind]}
          list={list}
          columns={columns}
          rowKey={({ id }) => id}
          onOpen={(event) => setOpened(event)}
          empty={
            isNamed ? (
              <NoMatch />
            ) : (
              <Empty title={t.noEvents} action={publish}>
                {t.noEventsHint}
              </Empty>
            )
          }
        />
      )}
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        title={opened?.type}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        {opened !== undefined && <CopyBlock text={JSON.stringify(opened, null, 2)} label={opened.type} />}
      </Drawer>
      <FormDialog
        opened={publishing}
        title={t.publish}
        path={`${page.prefix}/api/events`}
        members={['events']}
        labels={t}
        initial={{ events: [EXAMPLE] }}
        changes={[path]}
        done={() => t.published}
        onClose={() => setPublishing(false)}
        onWritten={() => {
          setPublishing(false);
          list.reload();
        }}
      />
    </>
  );
}

const EXAMPLE = {
  type: 'WatchEvent',
  actor: { login: 'lin' },
  repo: { name: 'jonas/tides' },
  payload: { action: 'started' },
  public: true,
};

function NameField({ value, onName }: { value: string; onName(name: string): void }): ReactNode {
  const t = useTexts(texts);
  const [text, setText] = useState(value);
  const say = useDebouncedCallback(onName, PAUSE);
  return (
    <TextInput
      label={t.name}
      placeholder={t.nameExample}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        say(currentTarget.value.trim());
      }}
    />
  );
}

/** `owner/name` keeps its slash. */
function encodeName(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}
