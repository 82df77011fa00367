/** Health, next steps, a first request, and links to everything. */
import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { exampleRequest, Page, RequestToCopy, useConsole, useOpenApi, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Health } from './health.js';
import classes from './home.module.css';
import { NextSteps } from './next-steps.js';
import { texts } from './texts/index.js';

export interface PageLink {
  readonly href: string;
  readonly title: string;
  readonly group: string;
  readonly icon: ReactNode;
}

/** Scopes whose requests show something at once, even without data. */
const EXAMPLES = ['memory', 'speech', 'data:read', 'events'];

export function HomePage({ pages }: { pages: readonly PageLink[] }): ReactNode {
  const t = useTexts(texts);
  const { root } = useConsole();
  const openApi = useOpenApi();
  const example = openApi && exampleRequest(openApi, EXAMPLES);
  return (
    <Page title={t.title} summary={t.summary}>
      <Health />
      <NextSteps />
      {example !== undefined && (
        <Paper withBorder p="lg">
          <Stack gap="sm">
            <Title order={2}>{t.firstRequest}</Title>
            <Text size="sm">{t.firstRequestHint}</Text>
            <RequestToCopy request={example} />
            <Anchor href={`${root}/-/docs/`} size="sm" w="fit-content">
              {t.reference}
            </Anchor>
          </Stack>
        </Paper>
      )}
      <Stack gap="sm">
        <Title order={2}>{t.pages}</Title>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          {pages.map(({ href, title, group, icon }) => (
            <Link key={href} href={href} className={classes['card']}>
              <Text size="sm" fw={600} component="span" className={classes['title']!}>
                {icon} {title}
              </Text>
              <Text size="xs" c="dimmed" component="span">
                {group}
              </Text>
            </Link>
          ))}
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
