/** The drawer in which a memory is written, edited and deleted. */
import { Button, Drawer, Group } from '@mantine/core';
import { Confirm, SchemaForm, useTexts, useWrite, type ObjectSchema } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { TYPES, type Entry } from './entry.js';

const PATH = '/api/memory';
const schema: ObjectSchema = {
  required: ['key', 'content'],
  properties: {
    content: { type: 'string', maxLength: 100_000 },
    key: { type: 'string', maxLength: 1000 },
    type: { type: 'string', enum: [...TYPES] },
    apiKeyId: { type: 'string' },
  },
};

/** `entry`: undefined for a new one. */
export function EntryForm({ entry, onClose }: { entry: Entry | undefined; onClose(): void }): ReactNode {
  const t = useTexts(texts);
  const [asking, setAsking] = useState(false);
  const save = useWrite({ changes: [PATH], quiet: true, done: () => t.saved });
  const path = entry === undefined ? PATH : `${PATH}/${entry.id}`;
  return (
    <Drawer
      opened
      onClose={onClose}
      title={entry === undefined ? t.new : t.edit}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <SchemaForm
        schema={schema}
        members={entry === undefined ? ['content', 'key', 'type', 'apiKeyId'] : ['content', 'key', 'type']}
        labels={{ content: t.content, key: t.key, type: t.type, apiKeyId: t.owner }}
        initial={
          entry === undefined
            ? { type: 'factual' }
            : { content: entry.content, key: entry.key, type: entry.type }
        }
        action={t.save}
        busy={save.isPending}
        error={save.error}
        onCancel={onClose}
        onSubmit={(body) =>
          save.mutate({ method: entry === undefined ? 'POST' : 'PUT', path, body }, { onSuccess: onClose })
        }
      />
      {entry !== undefined && (
        <Group mt="xl">
          <Button variant="default" color="red" onClick={() => setAsking(true)}>
            {t.delete}
          </Button>
        </Group>
      )}
      <Confirm
        title={t.deleteQuestion(entry?.key ?? '')}
        action={t.delete}
        request={asking ? { method: 'DELETE', path } : undefined}
        changes={[PATH]}
        done={() => t.forgotten}
        onDone={onClose}
        onClose={() => setAsking(false)}
      >
        {t.deleteHint}
      </Confirm>
    </Drawer>
  );
}
