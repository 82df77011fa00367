/** Versions of a preset side by side: with several models, on the preset's examples. */
import { Button, Group, Select, Stack } from '@mantine/core';
import { Empty, Failed, Loading, useRead, useTexts, useUrlState } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { PRESETS, type Example, type Preset, type Version } from './api.js';
import { Examples } from './examples.js';
import { NewVersion } from './new-version.js';
import { Result } from './result.js';
import { RunBar } from './run-bar.js';
import { VersionTable } from './version-table.js';

export function Compare({ models }: { models: readonly string[] }): ReactNode {
  const t = useTexts(texts);
  const [{ preset: chosen }, setState] = useUrlState({ preset: '', run: '' });
  const presets = useRead<{ presets: Preset[] }>({ path: PRESETS });
  if (presets.data === undefined)
    return presets.error === null ? <Loading /> : <Failed error={presets.error} retry={presets.refetch} />;
  const all = presets.data.presets;
  const preset = all.find(({ id }) => id === chosen) ?? all[0];
  if (preset === undefined) return <Empty title={t.noPresetYet}>{t.noPresetYetHint}</Empty>;
  return (
    <Stack gap="lg">
      <Select
        label={t.preset}
        data={all.map(({ id, name }) => ({ value: id, label: name }))}
        value={preset.id}
        onChange={(id) => setState({ preset: id ?? '', run: '' })}
        allowDeselect={false}
        maw={360}
      />
      <OfPreset key={preset.id} preset={preset} models={models} />
    </Stack>
  );
}

function OfPreset({ preset, models }: { preset: Preset; models: readonly string[] }): ReactNode {
  const t = useTexts(texts);
  const path = `${PRESETS}/${preset.id}`;
  const [open, setOpen] = useState<'version' | 'examples' | undefined>();
  const [chosen, setChosen] = useState<readonly number[] | undefined>();
  const read = useRead<{ versions: Version[] }>({ path: `${path}/versions` });
  const examples = useRead<{ examples: Example[] }>({ path: `${path}/examples` });
  if (read.data === undefined || examples.data === undefined) {
    const error = read.error ?? examples.error;
    return error === null ? <Loading /> : <Failed error={error} retry={read.refetch} />;
  }
  const { versions } = read.data;
  // By default the two newest are compared.
  const compared = (chosen ?? versions.slice(0, 2).map(({ version }) => version)).filter((one) =>
    versions.some(({ version }) => version === one),
  );
  const close = (): void => setOpen(undefined);
  return (
    <>
      {versions.length === 0 ? (
        <Empty
          title={t.noVersion}
          action={<Button onClick={() => setOpen('version')}>{t.newVersion}</Button>}
        >
          {t.noVersionHint}
        </Empty>
      ) : (
        <>
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpen('version')}>
              {t.newVersion}
            </Button>
            <Button variant="default" onClick={() => setOpen('examples')}>
              {t.examplesCount(examples.data.examples.length)}
            </Button>
          </Group>
          <VersionTable path={path} versions={versions} chosen={compared} onChoose={setChosen} />
          <RunBar
            path={path}
            models={models}
            versions={versions.filter(({ version }) => compared.includes(version))}
            examples={examples.data.examples}
          />
          <Result path={path} />
        </>
      )}
      {open === 'version' && (
        <NewVersion path={path} preset={preset} newest={versions[0]} models={models} onClose={close} />
      )}
      {open === 'examples' && (
        <Examples
          path={path}
          kept={examples.data.examples}
          names={[...new Set(versions.flatMap(({ variables }) => variables))]}
          models={models}
          onClose={close}
        />
      )}
    </>
  );
}
