/** The system prompt as rewritten by a model, with the changes; applied only on request. */
import { Box, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { MagicWandIcon } from '@radix-ui/react-icons';
import { useTexts, useWrite } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { difference } from './difference.js';
import classes from './improve.module.css';

interface ImproveProps {
  readonly model: string;
  readonly system: string;
  onTake(system: string): void;
}

export function Improve({ model, system, onTake }: ImproveProps): ReactNode {
  const t = useTexts(texts);
  const improve = useWrite<{ improvedSystem: string }>();
  const improved = improve.data?.improvedSystem;
  const request = {
    method: 'POST',
    path: '/api/playground/improve-prompt',
    body: { model, system },
  } as const;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<MagicWandIcon />}
        disabled={model === '' || system.trim() === ''}
        loading={improve.isPending}
        onClick={() => improve.mutate(request)}
      >
        {t.improve}
      </Button>
      <Modal
        opened={improved !== undefined}
        onClose={improve.reset}
        title={t.improving}
        size="lg"
        closeButtonProps={{ 'aria-label': t.keep }}
      >
        <Stack>
          {improved === system ? (
            <Text size="sm">{t.unchanged}</Text>
          ) : (
            <Box className={classes['difference']!} tabIndex={0} role="region" aria-label={t.difference}>
              {difference(system, improved ?? '').map(({ kind, text }, at) =>
                kind === 'same' ? (
                  <span key={at}>{text}</span>
                ) : kind === 'added' ? (
                  <ins key={at}>{text}</ins>
                ) : (
                  <del key={at}>{text}</del>
                ),
              )}
            </Box>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={improve.reset}>
              {t.keep}
            </Button>
            <Button
              onClick={() => {
                onTake(improved ?? system);
                improve.reset();
              }}
            >
              {t.take}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
