/** The frame of a page: heading, summary, buttons. */
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface PageProps {
  readonly title: string;
  /** The page's purpose in one sentence. */
  readonly summary?: ReactNode;
  /** Buttons to the right of the title; the main one is last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, summary, actions, children }: PageProps): ReactNode {
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4}>
          <Title order={1}>{title}</Title>
          {summary !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {summary}
            </Text>
          )}
        </Stack>
        {actions !== undefined && (
          <Group gap="xs" maw="100%">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
