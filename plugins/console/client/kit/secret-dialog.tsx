/** Shows a secret, the only time. It is removed from the document with the dialog. */
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { CopyBlock } from './copy.js';
import { useTexts } from './texts.js';

export interface SecretDialogProps {
  readonly title: string;
  /** What it is: the label of the box. */
  readonly label: string;
  /** Undefined: no secret and no dialog. */
  readonly secret: string | undefined;
  readonly children?: ReactNode;
  onClose(): void;
}

export function SecretDialog({ title, label, secret, children, onClose }: SecretDialogProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {secret !== undefined && (
        <Stack>
          <Alert color="yellow" variant="light">
            {t.shownOnce}
          </Alert>
          <CopyBlock text={secret} label={label} />
          {children}
          <Group justify="flex-end">
            <Button onClick={onClose}>{t.haveCopied}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
