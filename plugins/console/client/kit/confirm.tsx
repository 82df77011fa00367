/** The question before something that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { useTexts } from './texts.js';

export interface ConfirmProps {
  readonly opened: boolean;
  /** The question: `Revoke "backend"?` */
  readonly title: string;
  /** What happens then. */
  readonly children: ReactNode;
  /** The verb: `Revoke`. */
  readonly action: string;
  readonly busy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function Confirm({
  opened,
  title,
  children,
  action,
  busy = false,
  onConfirm,
  onClose,
}: ConfirmProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.cancel}
          </Button>
          <Button color="red" loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
