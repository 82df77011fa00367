/** Shows a key, the only time, with a request that it can make. */
import { Text } from '@mantine/core';
import { exampleRequest, RequestToCopy, SecretDialog, useOpenApi, useTexts } from 'plugboard/console';
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
    <SecretDialog title={t.issued(issued?.name ?? '')} label={t.key} secret={issued?.key} onClose={onClose}>
      {example !== undefined && (
        <>
          <Text size="sm" fw={500}>
            {t.tryIt}
          </Text>
          <RequestToCopy request={example} keyText={issued!.key} />
        </>
      )}
    </SecretDialog>
  );
}
