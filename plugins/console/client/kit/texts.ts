/** Texts in the person's language. A page has one file per language: `useTexts({ en, ko })`. */
import { useContext } from 'react';
import { Context } from './context.js';
import type { Language } from './contract.js';

export type Texts<T> = Readonly<Record<Language, T>>;

export function useTexts<T>(texts: Texts<T>): T {
  return texts[useContext(Context)?.language ?? 'en'];
}
