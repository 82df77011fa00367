/** The page of the guestbook in the console. Plain JavaScript: browsers load it as it is, so nothing builds it. */
import { createElement as h, useState } from 'react';
import { Button, Group, TextInput } from '@mantine/core';
import {
  Ago,
  CopyRequest,
  Empty,
  ListTable,
  Page,
  reactPage,
  useConsole,
  useList,
  useWrite,
} from 'plugboard/console';

export const mount = reactPage(GuestbookPage);

const columns = [
  { key: 'author', title: 'Author', cell: ({ author }) => author },
  { key: 'text', title: 'Text', cell: ({ text }) => text },
  { key: 'written', title: 'Written', cell: ({ writtenAt }) => h(Ago, { at: writtenAt }) },
];

function GuestbookPage() {
  // Where the plugin is, whatever the config says.
  const path = `${useConsole().page.prefix}/`;
  const list = useList({ path, paging: 'all', rows: (entries) => entries });
  return h(
    Page,
    { title: 'Guestbook', actions: h(CopyRequest, { request: { path } }) },
    h(NewEntry, { path }),
    h(ListTable, {
      name: 'Entries',
      list,
      columns,
      rowKey: ({ id }) => id,
      empty: h(Empty, { title: 'Nobody has written yet' }),
    }),
  );
}

function NewEntry({ path }) {
  const [entry, setEntry] = useState({ author: '', text: '' });
  const write = useWrite({ changes: [path], done: ({ author }) => `${author} has written` });
  const field = (name, label) =>
    h(TextInput, {
      label,
      required: true,
      value: entry[name],
      onChange: ({ currentTarget }) => setEntry({ ...entry, [name]: currentTarget.value }),
    });
  const submit = (event) => {
    event.preventDefault();
    write.mutate(
      { method: 'POST', path, body: entry },
      { onSuccess: () => setEntry({ author: '', text: '' }) },
    );
  };
  return h(
    'form',
    { onSubmit: submit },
    h(
      Group,
      { align: 'flex-end' },
      field('author', 'Author'),
      field('text', 'Text'),
      h(Button, { type: 'submit', loading: write.isPending }, 'Write'),
    ),
  );
}
