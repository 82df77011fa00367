/** German endings that the Snowball stemmer leaves: verb conjugations, participles and feminine forms. */

const LEAST = 4;

/** `spielt`, `spielte` and `gespielt` become `spiel`; `lehrerinn` becomes `lehrerin`. */
export function germanEnding(stem: string): string {
  if (stem.endsWith('inn')) return stem.slice(0, -1);
  const ending = stem.endsWith('et') && stem.length >= LEAST + 2 ? 2 : stem.endsWith('t') ? 1 : 0;
  if (ending === 0 || stem.length - ending < LEAST) return stem;
  const cut = stem.slice(0, -ending);
  // repariert, like reparieren: the stemmer treats -ieren as -er
  const rest = cut.endsWith('ier') ? cut.slice(0, -2) : cut;
  return rest.startsWith('ge') && rest.length >= LEAST + 2 ? rest.slice(2) : rest;
}
