/** The languages of the hosted pages. */
import { en, type Texts } from './en.js';
import { ko } from './ko.js';

/** By name, or by the browser's preference. */
export function textsFor(lang: string | undefined, accepted: string | undefined): Texts {
  const preferred = lang ?? accepted?.toLowerCase();
  const first = preferred
    ?.slice(0, 200)
    .split(',')
    .map((tag) => tag.trim().slice(0, 2))
    .find((tag) => tag === 'en' || tag === 'ko');
  return first === 'ko' ? ko : en;
}
