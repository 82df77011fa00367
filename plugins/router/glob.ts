/** Names with `*` for any run of characters. */
export type Glob = (name: string) => boolean;

/** Linear in the name per `*`: each part between stars is searched from the end of the match before. */
export function globOf(pattern: string): Glob {
  const [first = '', ...more] = pattern.split('*');
  const last = more.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let from = first.length;
    for (const part of more) {
      const at = name.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return name.length - last.length >= from && name.endsWith(last);
  };
}

/** One of them; without any, none. */
export function anyOf(patterns: readonly string[]): Glob {
  const globs = patterns.map(globOf);
  return (name) => globs.some((glob) => glob(name));
}
