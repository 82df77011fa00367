/** Ctrl+K: every page by its name. */
import { Kbd, UnstyledButton, Group, Text } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { HomeIcon, MagnifyingGlassIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { PageIcon } from './page-icon.js';
import { useWords } from './language.js';
import { addressOfPage } from './navigation.js';
import classes from './search.module.css';
import type { ListedPage } from './server.js';

export function Search({ pages }: { pages: readonly ListedPage[] }): ReactNode {
  const t = useWords();
  const [, navigate] = useLocation();
  const actions = [
    { id: '/', label: t.home, leftSection: <HomeIcon />, onClick: () => navigate('/') },
    ...pages.map((page) => ({
      id: addressOfPage(page),
      label: t.pages[page.title] ?? page.title,
      description: t.groups[page.group] ?? page.group,
      // The English name finds it in every language.
      keywords: [page.title, page.group, page.plugin],
      leftSection: <PageIcon page={page} />,
      onClick: () => navigate(addressOfPage(page)),
    })),
  ];
  return (
    <Spotlight
      actions={actions}
      nothingFound={t.nothingFound}
      shortcut={['mod + K', '/']}
      highlightQuery
      scrollable
      searchProps={{
        leftSection: <MagnifyingGlassIcon />,
        placeholder: t.searchHint,
        'aria-label': t.searchHint,
      }}
    />
  );
}

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
