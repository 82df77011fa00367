/** The person, theme, language, and logout. */
import { Badge, Button, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { ChevronDownIcon, ExitIcon, FileTextIcon } from '@radix-ui/react-icons';
import { describe, type Language } from 'plugboard/console';
import type { ReactNode } from 'react';
import { useLanguage, useWords } from './language.js';
import { notify } from './notify.js';
import { logOut, root, type Session } from './server.js';

const LANGUAGES = { en: 'English', ko: '한국어' } as const;

export default function PersonMenu({ session }: { session: Session }): ReactNode {
  const t = useWords();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = { light: t.light, dark: t.dark, auto: t.system } as const;
  const leave = (): void => {
    logOut().catch((error: unknown) => notify({ kind: 'failed', message: describe(error) }, language));
  };
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          rightSection={<ChevronDownIcon />}
          px="xs"
        >
          {session.login ?? t.menu}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.access !== null && (
          <Menu.Label>
            {session.login} <Badge variant="default">{session.access}</Badge>
          </Menu.Label>
        )}
        {session.login === null && <Menu.Label>{t.open}</Menu.Label>}
        <Menu.Divider />
        <Menu.Label>{t.theme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {Object.entries(schemes).map(([scheme, label]) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{t.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(one) => choose(one as Language)}>
          {Object.entries(LANGUAGES).map(([one, label]) => (
            <Menu.RadioItem key={one} value={one} lang={one} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href={`${root}/-/docs/`} leftSection={<FileTextIcon />}>
          {t.apiDocs}
        </Menu.Item>
        {session.login !== null && (
          <Menu.Item leftSection={<ExitIcon />} onClick={leave}>
            {t.logout}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
