/** Texts with `{{names}}`, which are replaced by the variables of an example. Replacements are not expanded again. */

const VARIABLE = /\{\{ ?([\p{L}_][\p{L}\p{N}_]{0,63}) ?\}\}/gu;

export type Variables = Readonly<Record<string, string>>;

/** The names in the texts, each once, in order. */
export function variablesIn(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name ?? '')))];
}

/** The length of the filled-in text: a name may occur a thousand times. */
export function filledLength(text: string, variables: Variables): number {
  let length = text.length;
  for (const [written, name] of text.matchAll(VARIABLE))
    length += valueOf(variables, name).length - written.length;
  return length;
}

export function fillIn(text: string, variables: Variables): string {
  return text.replace(VARIABLE, (_, name: string) => valueOf(variables, name));
}

function valueOf(variables: Variables, name: string | undefined): string {
  return name !== undefined && Object.hasOwn(variables, name) ? (variables[name] ?? '') : '';
}
