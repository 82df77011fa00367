/** All voices, to search and choose from. */
import { Badge, Group, Paper, Radio, ScrollArea, Stack, Text } from '@mantine/core';
import { SearchField, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from './texts/index.js';

export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly dialect: string;
}

interface VoiceListProps {
  readonly voices: readonly Voice[];
  readonly chosen: string;
  readonly search: string;
  onChoose(id: string): void;
  onSearch(text: string): void;
}

export function VoiceList({ voices, chosen, search, onChoose, onSearch }: VoiceListProps): ReactNode {
  const t = useTexts(texts);
  const words = search.toLowerCase().split(/\s+/);
  const shown = voices.filter(({ id, name, dialect }) =>
    words.every((word) => `${id} ${name} ${dialect}`.toLowerCase().includes(word)),
  );
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SearchField value={search} label={t.searchVoices} onSearch={onSearch} />
        <Text size="sm" c="dimmed" role="status">
          {t.voices(shown.length)}
        </Text>
      </Group>
      <Paper withBorder>
        <ScrollArea.Autosize
          mah={360}
          type="auto"
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t.voice }}
        >
          {shown.length === 0 ? (
            <Text c="dimmed" size="sm" p="md">
              {t.noVoice}
            </Text>
          ) : (
            <Radio.Group value={chosen} onChange={onChoose} aria-label={t.voice} p="sm">
              <Stack gap={8}>
                {shown.map(({ id, name, dialect }) => (
                  <Group key={id} justify="space-between" wrap="nowrap">
                    <Radio value={id} label={name === id ? id : `${name} (${id})`} />
                    <Badge color="gray">{dialect}</Badge>
                  </Group>
                ))}
              </Stack>
            </Radio.Group>
          )}
        </ScrollArea.Autosize>
      </Paper>
    </Stack>
  );
}
