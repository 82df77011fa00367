/** A search field of a list: `onSearch` gets the text when the person stops typing. */
import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useEffect, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { useTexts } from './texts.js';

export interface SearchFieldProps {
  readonly value: string;
  /** What is searched: `Search keys`. */
  readonly label: string;
  onSearch(text: string): void;
}

/** Milliseconds. */
const PAUSE = 250;

export function SearchField({ value, label, onSearch }: SearchFieldProps): ReactNode {
  const t = useTexts(texts);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const search = useDebouncedCallback(onSearch, PAUSE);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      leftSection={<MagnifyingGlassIcon />}
      rightSection={
        text !== '' && (
          <CloseButton
            size="sm"
            aria-label={t.close}
            onClick={() => {
              setText('');
              onSearch('');
            }}
          />
        )
      }
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
      w={{ base: '100%', xs: 320 }}
    />
  );
}
