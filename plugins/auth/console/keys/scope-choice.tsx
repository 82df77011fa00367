/** The scopes of a new key: presets, and each by its plugin. */
import { Button, Checkbox, Fieldset, Group, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Scope } from './key.js';
import { presetsOf } from './presets.js';

interface ScopeChoiceProps {
  readonly scopes: readonly Scope[];
  readonly value?: readonly string[];
  readonly error?: ReactNode;
  onChange?(scopes: string[]): void;
}

export function ScopeChoice({ scopes, value = [], error, onChange = () => {} }: ScopeChoiceProps): ReactNode {
  const t = useTexts(texts);
  const names = scopes.map(({ name }) => name);
  const presets = presetsOf(names);
  const labels = { chat: t.presetChat, read: t.presetRead, all: t.presetAll };
  const isChosen = (preset: readonly string[]): boolean =>
    preset.length === value.length && preset.every((name) => value.includes(name));
  const plugins = [...new Set(scopes.map(({ plugin }) => plugin))];
  return (
    <Input.Wrapper label={t.scopes} description={t.scopesHint} error={error} required labelElement="div">
      <Stack gap="xs" mt="xs">
        <Group gap="xs" role="group" aria-label={t.presets}>
          {presets.map(({ id, scopes: preset }) => (
            <Button
              key={id}
              size="compact-sm"
              variant={isChosen(preset) ? 'filled' : 'default'}
              aria-pressed={isChosen(preset)}
              onClick={() => onChange([...preset])}
            >
              {labels[id]}
            </Button>
          ))}
        </Group>
        {value.includes('*') ? (
          <Text size="sm">{t.everything}</Text>
        ) : (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {plugins.map((plugin) => (
              <Fieldset key={plugin} legend={plugin} p="xs">
                <Stack gap="xs">
                  {scopes
                    .filter((scope) => scope.plugin === plugin)
                    .map(({ name, summary }) => (
                      <Checkbox
                        key={name}
                        size="xs"
                        label={name}
                        description={summary}
                        checked={value.includes(name)}
                        onChange={({ currentTarget: { checked } }) =>
                          onChange(checked ? [...value, name] : value.filter((one) => one !== name))
                        }
                      />
                    ))}
                </Stack>
              </Fieldset>
            ))}
          </SimpleGrid>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
