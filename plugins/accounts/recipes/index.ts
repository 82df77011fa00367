/** A recipe for each code of the contract. */
import { identityRecipes } from './identity.js';
import { platformRecipes } from './platform.js';
import type { Recipe } from './recipe.js';
import { settingsRecipes } from './settings.js';

export const RECIPES: readonly Recipe[] = [
  ...identityRecipes,
  ...platformRecipes,
  ...settingsRecipes,
].toSorted((a, b) => (a.code < b.code ? -1 : 1));
