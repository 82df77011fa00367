/** How a text is read: what is written out, and how each word sounds by the pronunciation rules. */
import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from './texts/index.js';

export interface Explanation {
  readonly normalised: string;
  readonly sentences: readonly {
    readonly text: string;
    readonly pronunciation: string;
    readonly words: readonly {
      readonly written: string;
      readonly spoken: string;
      readonly changes: readonly { readonly article: number }[];
    }[];
  }[];
}

export function Reading({ explanation: { normalised, sentences } }: { explanation: Explanation }): ReactNode {
  const t = useTexts(texts);
  return (
    <Paper withBorder p="md" component="section" aria-label={t.howRead}>
      <Stack gap="sm">
        <Title order={2}>{t.howRead}</Title>
        <div>
          <Text size="xs" c="dimmed">
            {t.normalised}
          </Text>
          <Text lang="ko">{normalised}</Text>
        </div>
        {sentences.map(({ text, pronunciation, words }, at) => (
          <Stack key={at} gap={6}>
            <div>
              <Text size="xs" c="dimmed">
                {t.pronunciation}
              </Text>
              <Text lang="ko" title={text}>
                [{pronunciation}]
              </Text>
            </div>
            <Group gap="xs">
              {words
                .filter(({ changes }) => changes.length > 0)
                .map(({ written, spoken, changes }, word) => (
                  <Badge
                    key={word}
                    color="indigo"
                    lang="ko"
                    size="lg"
                    h="auto"
                    styles={{ label: { whiteSpace: 'normal', minWidth: 0 } }}
                  >
                    {written} → {spoken} ·{' '}
                    {[...new Set(changes.map(({ article }) => t.article(article)))].join(', ')}
                  </Badge>
                ))}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Paper>
  );
}
