/** API keys: chosen from a list, or given by id. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from 'plugboard/console';
import { useState, type ReactNode } from 'react';

interface Key {
  readonly id: string;
  readonly name: string;
}

interface KeySelectProps {
  readonly label: string;
  /** The id. */
  readonly value: string | null;
  onChange(id: string | null): void;
}

/** Milliseconds. */
const PAUSE = 250;
const MOST = 20;

/** Searched on the server: there may be thousands. */
export function KeySelect({ label, value, onChange }: KeySelectProps): ReactNode {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Key>();
  // The field shows the name of the chosen key, which is not a search.
  const [search] = useDebouncedValue(text === chosen?.name ? '' : text, PAUSE);
  const read = useRead<{ keys: Key[] }>({
    path: '/api/keys',
    query: { state: 'active', search, limit: MOST },
  });
  const found = read.data?.keys ?? [];
  const shown = value === null || chosen?.id !== value || found.some(({ id }) => id === value);
  return (
    <Select
      label={label}
      searchable
      clearable
      value={value}
      searchValue={text}
      onSearchChange={setText}
      // The server has filtered.
      filter={({ options }) => options}
      data={(shown ? found : [chosen, ...found]).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => {
        setChosen(found.find((key) => key.id === id));
        onChange(id);
      }}
    />
  );
}

/** The name of a key; the id if the key is gone or is not a key. */
export function useKeyName(id: string): string {
  // Ids of people contain a bar.
  const read = useRead<{ id: string; name: string }>(
    id.includes('|') ? undefined : { path: `/api/keys/${encodeURIComponent(id)}` },
  );
  return read.data?.id === id ? read.data.name : id;
}
