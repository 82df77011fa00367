/** The person's language: their choice, else the browser's. */
import { useLocalStorage } from '@mantine/hooks';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Language } from '../kit/contract.js';
import type { ConsoleTexts } from '../texts/en.js';

interface Choice {
  readonly language: Language;
  choose(language: Language): void;
}

const LanguageContext = createContext<Choice>({ language: 'en', choose: () => {} });

export function LanguageProvider({ children }: { children: ReactNode }): ReactNode {
  const [chosen, choose] = useLocalStorage<Language | ''>({
    key: 'plugboard.language',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const language = chosen === '' ? (navigator.language.startsWith('ko') ? 'ko' : 'en') : chosen;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>;
}

export function useLanguage(): Choice {
  return useContext(LanguageContext);
}

export function useWords(): ConsoleTexts {
  return texts[useLanguage().language];
}
