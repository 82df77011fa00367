/** The frame around all pages: navigation, search, person menu. */
import { AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { HomePage } from '../pages/home/home-page.js';
import classes from './frame.module.css';
import { useWords } from './language.js';
import { Logo } from './logo.js';
import { inOrder, linkTo, Navigation } from './navigation.js';
import { NotFound } from './not-found.js';
import { PageHost } from './page-host.js';
import { SearchButton } from './search-button.js';
import type { Session } from './server.js';
import { ShellPage } from './shell-page.js';

/** Not needed for the first view. */
const Search = lazy(() => import('./search.js'));
const PersonMenu = lazy(() => import('./person-menu.js'));

export function Frame({ session }: { session: Session }): ReactNode {
  const t = useWords();
  const [opened, { toggle, close }] = useDisclosure();
  const [path] = useLocation();
  useEffect(close, [path, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className={classes['skip']} href={`${location.pathname}${location.search}#content`}>
        {t.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t.menu}
              aria-expanded={opened}
            />
            <Link href="/" className={classes['brand']} aria-label="Plugboard">
              <Logo />
              <Text fw={600} visibleFrom="xs" component="span">
                Plugboard
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <Suspense>
              <PersonMenu session={session} />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t.navigation}>
        <Navigation pages={session.pages} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes['main']!}>
        <Box maw={1200} mx="auto">
          <Switch>
            <Route path="/">
              <ShellPage session={session} title={t.home}>
                <HomePage pages={inOrder(session.pages).map((page) => linkTo(page, t))} />
              </ShellPage>
            </Route>
            <Route path="/:plugin/:page">
              {({ plugin, page }) => (
                <PageHost key={`${plugin}/${page}`} session={session} plugin={plugin} id={page} />
              )}
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Box>
      </AppShell.Main>
      <Suspense>
        <Search pages={session.pages} />
      </Suspense>
    </AppShell>
  );
}
