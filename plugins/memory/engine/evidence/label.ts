/** Up to four capitalised words, or words of a script without capitals. */
const LABEL = /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’-]{0,30}(?: [\p{Lu}\p{Lo}][\p{L}\p{M}'’-]{0,30}){0,3}[:：]/u;

/** The name and colon at the beginning of a text, as in group chats; empty without one. */
export function labelOf(text: string): string {
  return LABEL.exec(text)?.[0] ?? '';
}
