/** The one time that a key is shown. It leaves the document with the dialog. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyBlock, exampleRequest, RequestToCopy, useOpenApi, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { IssuedKey } from './key.js';

export function IssuedDialog({
  issued,
  onClose,
}: {
  issued: IssuedKey | undefined;
  onClose(): void;
}): ReactNode {
  const t = useTexts(texts);
  const openApi = useOpenApi();
  const example = issued && openApi && exampleRequest(openApi, issued.scopes);
  return (
    <Modal
      opened={issued !== undefined}
      onClose={onClose}
      title={t.issued(issued?.name ?? '')}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {issued !== undefined && (
        <Stack>
          <Alert color="yellow" variant="light">
            {t.issuedHint}
          </Alert>
          <CopyBlock text={issued.key} label={t.key} />
          {example !== undefined && (
            <>
              <Text size="sm" fw={500}>
                {t.tryIt}
              </Text>
              <RequestToCopy request={example} keyText={issued.key} />
            </>
          )}
          <Group justify="flex-end">
            <Button onClick={onClose}>{t.issuedDone}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
