/** Who is logged in, the theme, the language, and the way out. */
import { Badge, Button, Menu, useMantineColorScheme } from '@mantine/core';
import { CheckIcon, ChevronDownIcon, ExitIcon, FileTextIcon } from '@radix-ui/react-icons';
import { describe } from 'plugboard/console';
import type { ReactNode } from 'react';
import { useLanguage, useWords } from './language.js';
import { notify } from './notify.js';
import { logOut, root, type Session } from './server.js';

const LANGUAGES = { en: 'English', ko: '한국어' } as const;

export function PersonMenu({ session }: { session: Session }): ReactNode {
  const t = useWords();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = { light: t.light, dark: t.dark, auto: t.system } as const;
  const leave = (): void => {
    logOut().catch((error: unknown) => notify({ kind: 'failed', message: describe(error) }, language));
  };
  const mark = (set: boolean): ReactNode => (set ? <CheckIcon /> : null);
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
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={mark(colorScheme === scheme)}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
          >
            {schemes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Label>{t.language}</Menu.Label>
        {(['en', 'ko'] as const).map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            onClick={() => choose(one)}
            rightSection={mark(language === one)}
            role="menuitemradio"
            aria-checked={language === one}
          >
            {LANGUAGES[one]}
          </Menu.Item>
        ))}
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
