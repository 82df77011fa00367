/** Links to the pages, grouped. */
import { NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { HomeIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { PageIcon } from './page-icon.js';
import type { ConsoleTexts } from '../texts/en.js';
import { useWords } from './language.js';
import classes from './navigation.module.css';
import type { ListedPage } from './server.js';

function addressOfPage({ plugin, id }: Pick<ListedPage, 'plugin' | 'id'>): string {
  return `/${plugin}/${id}`;
}

/** The link to a page, with its title. */
export function linkTo(
  page: ListedPage,
  t: ConsoleTexts,
): { href: string; title: string; group: string; icon: ReactNode } {
  return {
    href: addressOfPage(page),
    title: t.pages[page.title] ?? page.title,
    group: t.groups[page.group] ?? page.group,
    icon: <PageIcon page={page} />,
  };
}

export function Navigation({ pages }: { pages: readonly ListedPage[] }): ReactNode {
  const t = useWords();
  const groups = [...new Set(inOrder(pages).map(({ group }) => group))];
  return (
    <ScrollArea p="sm" type="hover" scrollbarSize={6}>
      <Entry href="/" label={t.home} icon={<HomeIcon />} />
      {groups.map((group) => (
        <Stack key={group} gap={1} mt="sm" role="group" aria-label={t.groups[group] ?? group}>
          <Text size="xs" c="dimmed" fw={500} px="xs" aria-hidden>
            {t.groups[group] ?? group}
          </Text>
          {pages
            .filter((page) => page.group === group)
            .map((page) => linkTo(page, t))
            .map(({ href, title, icon }) => (
              <Entry key={href} href={href} label={title} icon={icon} />
            ))}
        </Stack>
      ))}
    </ScrollArea>
  );
}

/** Ordered by group, as people look for them. */
export function inOrder(pages: readonly ListedPage[]): readonly ListedPage[] {
  return pages.toSorted((one, other) => byGroup(one.group, other.group));
}

function Entry({ href, label, icon }: { href: string; label: string; icon: ReactNode }): ReactNode {
  const [path] = useLocation();
  const active = path === href;
  return (
    <NavLink
      component={Link}
      href={href}
      label={label}
      leftSection={icon}
      active={active}
      aria-current={active ? 'page' : undefined}
      className={classes['entry']!}
    />
  );
}

/** Groups that people work with come first, the server's own last; groups of other plugins in between. */
const FIRST = ['Data', 'Models', 'Services'];
const LAST = ['Access', 'Server'];

function byGroup(one: string, other: string): number {
  const rank = (group: string): number =>
    FIRST.includes(group) ? FIRST.indexOf(group) : LAST.includes(group) ? 20 + LAST.indexOf(group) : 10;
  return rank(one) - rank(other) || one.localeCompare(other);
}
