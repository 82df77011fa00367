/** Reads lines strictly: bytes that are not UTF-8 are rejected, since decoding would replace them with U+FFFD. */
import { UserError } from 'plugboard/sdk';

/** Bytes per line. */
const LONGEST = 16 * 1024 * 1024;
const NEWLINE = 10;

/** Lines without line breaks and without a leading byte order mark. Throws UserError, naming the line. */
export async function* utf8Lines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 0;
  let begun: Buffer[] = [];
  let length = 0;
  const finished = (): string => {
    line += 1;
    const bytes = begun.length === 1 ? begun[0]! : Buffer.concat(begun);
    begun = [];
    length = 0;
    try {
      const text = decoder.decode(bytes);
      return text.endsWith('\r') ? text.slice(0, -1) : text;
    } catch {
      throw new UserError(`line ${line}: its bytes are not UTF-8`);
    }
  };
  const take = (bytes: Buffer): void => {
    length += bytes.length;
    if (length > LONGEST) throw new UserError(`line ${line + 1} is longer than ${LONGEST} bytes`);
    begun.push(bytes);
  };
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      take(bytes.subarray(from, end));
      yield finished();
      from = end + 1;
    }
    if (from < bytes.length) take(bytes.subarray(from));
  }
  if (length > 0) yield finished();
}
