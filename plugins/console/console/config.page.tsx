/** The effective config, plugin by plugin, without secrets. */
import { Accordion, Badge, Code, Group, Text } from '@mantine/core';
import {
  CopyBlock,
  CopyRequest,
  Failed,
  Loading,
  NoMatch,
  Page,
  reactPage,
  SearchField,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from './texts/index.js';

export const mount = reactPage(ConfigPage);

const REQUEST = { path: '/-/config' };

interface Entry {
  readonly section: 'providers' | 'plugins';
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Where it is in the config files. */
  readonly at: { readonly file: string; readonly line: number } | null;
}

interface InForce {
  readonly server: object;
  readonly log: object;
  readonly entries: readonly Entry[];
}

function ConfigPage(): ReactNode {
  const t = useTexts(texts);
  const [{ search }, setState] = useUrlState({ search: '' });
  const { data, error, refetch } = useRead<InForce>(REQUEST);
  return (
    <Page title={t.config} summary={t.configSummary} actions={<CopyRequest request={REQUEST} />}>
      {error !== null && data === undefined ? (
        <Failed error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          <SearchField
            value={search}
            label={t.searchConfig}
            onSearch={(text) => setState({ search: text })}
          />
          <Entries inForce={data} search={search.trim().toLowerCase()} />
        </>
      )}
    </Page>
  );
}

function Entries({
  inForce: { server, log, entries },
  search,
}: {
  inForce: InForce;
  search: string;
}): ReactNode {
  const all = [
    { name: 'server', at: undefined, config: server },
    { name: 'log', at: undefined, config: log },
    ...entries.map(({ section, id, at, config }) => ({ name: `${section}.${id}`, at, config })),
  ].map((one) => ({ ...one, text: JSON.stringify(one.config, null, 2) }));
  const shown = all.filter(({ name, text }) => `${name}\n${text}`.toLowerCase().includes(search));
  if (shown.length === 0) return <NoMatch />;
  return (
    // Another search begins anew, with everything open that it found.
    <Accordion
      key={search}
      multiple
      order={2}
      variant="contained"
      defaultValue={search === '' ? [] : shown.map(({ name }) => name)}
    >
      {shown.map((section) => (
        <Section key={section.name} {...section} />
      ))}
    </Accordion>
  );
}

interface SectionProps {
  readonly name: string;
  readonly at: Entry['at'] | undefined;
  readonly text: string;
}

function Section({ name, at, text }: SectionProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" pr="md">
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {text.includes('[secret]') && <Badge color="gray">{t.hasSecrets}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {at === null ? t.byDefault : at && <Code>{`${at.file}:${at.line}`}</Code>}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <CopyBlock text={text} label={`${name}, JSON`} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}
