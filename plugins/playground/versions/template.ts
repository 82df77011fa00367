/** Texts with `{{names}}` in them, which the variables of an example fill in. What is filled in is not looked at again. */

const VARIABLE = /\{\{ ?([\p{L}_][\p{L}\p{N}_]{0,63}) ?\}\}/gu;

export type Variables = Readonly<Record<string, string>>;

/** The names in the texts, each once, in their order. */
export function variablesIn(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name ?? '')))];
}

/** How long the text is when it is filled in: a name may stand in it a thousand times. */
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
