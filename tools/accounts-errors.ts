/**
 * Writes docs/accounts-errors.md from the recipes of the plugin: `node dist/tools/accounts-errors.js`. A test compares
 * the page with the recipes, and another one sends them.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format } from 'prettier';
import { recipePage } from '../plugins/accounts/recipes/page.js';

const page = resolve(import.meta.dirname, '../../docs/accounts-errors.md');
writeFileSync(page, await format(recipePage(), { parser: 'markdown' }));
console.log('wrote docs/accounts-errors.md');
