/** Opens the search, which is loaded after the first view, or on first use. */
import { Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { useWords } from './language.js';
import classes from './search.module.css';

export function SearchButton(): ReactNode {
  const t = useWords();
  return (
    <UnstyledButton className={classes['button']!} onClick={() => spotlight.open()} title={t.searchHint}>
      <Group gap="xs" wrap="nowrap">
        <MagnifyingGlassIcon />
        <Text size="sm" visibleFrom="xs" component="span">
          {t.search}
        </Text>
        <Kbd size="xs" visibleFrom="sm" aria-hidden>
          Ctrl K
        </Kbd>
      </Group>
    </UnstyledButton>
  );
}
