import { en } from './en.js';
import { ko } from './ko.js';

export const texts = { en, ko };
