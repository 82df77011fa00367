/** Chat with any model, or two at once. */
import { Box, Button, Group, NumberInput, Paper, SegmentedControl, Stack, Textarea } from '@mantine/core';
import {
  CopyRequest,
  Failed,
  Loading,
  Page,
  reactPage,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { Column } from './chat/column.js';
import { requestOf, useConversation, type Settings } from './chat/use-conversation.js';
import { Compare } from './compare/compare.js';
import { FirstUpstream } from './first-upstream.js';
import classes from './playground.module.css';
import { Improve } from './prompt/improve.js';
import { Presets } from './prompt/presets.js';
import { texts } from './texts/index.js';

export const mount = reactPage(PlaygroundPage);

const PARAMETERS = [
  { name: 'temperature', title: 'temperature', min: 0, max: 2, step: 0.1 },
  { name: 'top_p', title: 'topP', min: 0, max: 1, step: 0.05 },
  { name: 'max_tokens', title: 'maxTokens', min: 1, max: 1_000_000, step: 100 },
] as const;

function PlaygroundPage(): ReactNode {
  const t = useTexts(texts);
  const models = useRead<{ data: { id: string }[] }>({ path: '/v1/models' });
  if (models.data === undefined)
    return (
      <Page title={t.playground} summary={t.playgroundSummary}>
        {models.error === null ? <Loading /> : <Failed error={models.error} retry={models.refetch} />}
      </Page>
    );
  return <Playground models={models.data.data.map(({ id }) => id)} />;
}

function Playground({ models }: { models: readonly string[] }): ReactNode {
  const t = useTexts(texts);
  const [{ model, other, view }, setState] = useUrlState({ model: '', other: '', view: 'one' });
  const [system, setSystem] = useState('');
  const [parameters, setParameters] = useState<Readonly<Record<string, number>>>({});
  const [message, setMessage] = useState('');
  const conversations = [useConversation(), useConversation()] as const;
  const chosen = [model || (models[0] ?? ''), other || (models[1] ?? models[0] ?? '')] as const;
  const shown = view === 'two' ? ([0, 1] as const) : ([0] as const);
  const settings: Settings = { model: chosen[0], system, parameters };
  const busy = conversations.some((one) => one.busy);
  const request = {
    method: 'POST',
    path: '/v1/chat/completions',
    body: requestOf([], message || 'Hello', { ...settings, model: chosen[0] || 'MODEL' }),
  } as const;

  const send = (): void => {
    if (message.trim() === '' || busy) return;
    for (const at of shown) conversations[at].send(message, { ...settings, model: chosen[at] });
    setMessage('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // A Korean input method ends a syllable with Enter.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <Page
      title={t.playground}
      summary={view === 'versions' ? t.versionsSummary : t.playgroundSummary}
      actions={
        <>
          <SegmentedControl
            aria-label={t.viewLabel}
            value={view}
            onChange={(next) => setState({ view: next })}
            data={[
              { value: 'one', label: t.one },
              { value: 'two', label: t.compare },
              { value: 'versions', label: t.compareVersions },
            ]}
          />
          {view !== 'versions' && <CopyRequest request={request} />}
        </>
      }
    >
      {models.length === 0 ? (
        <FirstUpstream />
      ) : view === 'versions' ? (
        <Compare models={models} />
      ) : (
        <Box className={classes['layout']!}>
          <Stack gap="sm" className={classes['chat']!}>
            <Group align="stretch" gap="sm">
              {shown.map((at) => (
                <Column
                  key={at}
                  models={models}
                  model={chosen[at]}
                  conversation={conversations[at]}
                  onModel={(next) => setState(at === 0 ? { model: next } : { other: next })}
                />
              ))}
            </Group>
            <Textarea
              aria-label={t.message}
              placeholder={t.message}
              description={t.messageHint}
              inputWrapperOrder={['input', 'description']}
              autosize
              minRows={2}
              maxRows={8}
              value={message}
              onChange={({ currentTarget }) => setMessage(currentTarget.value)}
              onKeyDown={onKeyDown}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => conversations.forEach((one) => one.clear())}>
                {t.clear}
              </Button>
              {busy ? (
                <Button onClick={() => conversations.forEach((one) => one.stop())}>{t.stop}</Button>
              ) : (
                <Button onClick={send} disabled={message.trim() === ''}>
                  {t.send}
                </Button>
              )}
            </Group>
          </Stack>
          <Paper withBorder p="md" component="aside" className={classes['side']!} aria-label={t.parameters}>
            <Stack gap="md">
              <Presets
                settings={settings}
                onChoose={(preset) => {
                  setState({ model: preset.model });
                  setSystem(preset.system);
                  setParameters(preset.parameters);
                }}
              />
              <Textarea
                label={t.system}
                description={t.systemHint}
                autosize
                minRows={4}
                maxRows={14}
                maxLength={50_000}
                value={system}
                onChange={({ currentTarget }) => setSystem(currentTarget.value)}
              />
              <Improve model={chosen[0]} system={system} onTake={setSystem} />
              {PARAMETERS.map(({ name, title, ...range }) => (
                <NumberInput
                  key={name}
                  label={t[title]}
                  placeholder={t.byModel}
                  {...range}
                  hideControls
                  value={parameters[name] ?? ''}
                  onChange={(value) => setParameters(withNumber(parameters, name, value))}
                />
              ))}
            </Stack>
          </Paper>
        </Box>
      )}
    </Page>
  );
}

/** Without a number the model's default applies. */
function withNumber(
  before: Readonly<Record<string, number>>,
  name: string,
  value: number | string,
): Record<string, number> {
  const others = Object.fromEntries(Object.entries(before).filter(([other]) => other !== name));
  return typeof value === 'number' ? { ...others, [name]: value } : others;
}
