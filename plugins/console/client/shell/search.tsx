/** Ctrl+K: every page by its name. */
import { Spotlight } from '@mantine/spotlight';
import { HomeIcon, MagnifyingGlassIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useWords } from './language.js';
import { linkTo } from './navigation.js';
import type { ListedPage } from './server.js';

export default function Search({ pages }: { pages: readonly ListedPage[] }): ReactNode {
  const t = useWords();
  const [, navigate] = useLocation();
  const actions = [
    { id: '/', label: t.home, leftSection: <HomeIcon />, onClick: () => navigate('/') },
    ...pages.map((page) => {
      const { href, title, group, icon } = linkTo(page, t);
      return {
        id: href,
        label: title,
        description: group,
        // The English name matches in every language.
        keywords: [page.title, page.group, page.plugin],
        leftSection: icon,
        onClick: () => navigate(href),
      };
    }),
  ];
  return (
    <Spotlight
      actions={actions}
      nothingFound={t.nothingFound}
      shortcut={['mod + K', '/']}
      highlightQuery
      scrollable
      // A paler one has too little contrast on the selected line.
      styles={{ actionDescription: { opacity: 1 } }}
      searchProps={{
        leftSection: <MagnifyingGlassIcon />,
        placeholder: t.searchHint,
        'aria-label': t.searchHint,
      }}
    />
  );
}
