/** The versions of a preset: the compared ones, their prompts, their labels. */
import { ActionIcon, Badge, Checkbox, Group, Menu, Paper, Table, Text } from '@mantine/core';
import { DotsVerticalIcon } from '@radix-ui/react-icons';
import { Ago, useTexts, useWrite } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Version } from './api.js';
import classes from './compare.module.css';

/** The label that deployments request. */
const LABEL = 'production';

interface VersionTableProps {
  /** Of the preset. */
  readonly path: string;
  readonly versions: readonly Version[];
  readonly chosen: readonly number[];
  onChoose(versions: readonly number[]): void;
}

export function VersionTable({ path, versions, chosen, onChoose }: VersionTableProps): ReactNode {
  const t = useTexts(texts);
  const write = useWrite({ changes: [`${path}/versions`] });
  const toggle = (version: number): void =>
    onChoose(chosen.includes(version) ? chosen.filter((one) => one !== version) : [...chosen, version]);
  return (
    <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.versions}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={t.versions}>
        <Table.Thead>
          <Table.Tr>
            {[t.compared, t.version, t.model, t.prompt, t.made, t.actions].map((title) => (
              <Table.Th key={title} scope="col" className={classes['title']!}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map(({ version, labels, model, system, prompt, created_at: made }) => (
            <Table.Tr key={version}>
              <Table.Td w={40}>
                <Checkbox
                  aria-label={t.compareVersion(version)}
                  checked={chosen.includes(version)}
                  onChange={() => toggle(version)}
                />
              </Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Text size="sm" fw={500}>
                    {version}
                  </Text>
                  {labels.map((label) => (
                    <Badge key={label}>{label}</Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{model}</Text>
              </Table.Td>
              <Table.Td>
                {system !== null && system !== '' && (
                  <Text size="xs" c="dimmed" lineClamp={1} maw={480}>
                    {system}
                  </Text>
                )}
                <Text size="sm" lineClamp={2} maw={480}>
                  {prompt}
                </Text>
              </Table.Td>
              <Table.Td>
                <Ago at={made} />
              </Table.Td>
              <Table.Td>
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOfVersion(version)}>
                      <DotsVerticalIcon />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item
                      disabled={labels.includes(LABEL)}
                      onClick={() =>
                        write.mutate({ method: 'PUT', path: `${path}/labels/${LABEL}`, body: { version } })
                      }
                    >
                      {t.labelAs(LABEL)}
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      disabled={labels.length > 0}
                      onClick={() => write.mutate({ method: 'DELETE', path: `${path}/versions/${version}` })}
                    >
                      {t.deleteVersion}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
