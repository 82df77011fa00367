/** The strings and numbers of a JSON text, found without parsing its structure, so no depth is too deep. */

/** Between strings. */
const NUMBER = /\d[\w.+-]*/g;

/** Maps each string, unescaped, and each number to a string. A text that is not JSON counts as one string. */
export function mapValues(json: string, map: (value: string) => string): string {
  if (!isJson(json)) return map(json);
  const mapped = (token: string): string => {
    const value = valueOf(token);
    const other = map(value);
    return other === value ? token : JSON.stringify(other);
  };
  let written = '';
  for (const piece of piecesOf(json))
    written += piece.startsWith('"') ? mapped(piece) : piece.replace(NUMBER, mapped);
  return written;
}

/** The same with an asynchronous mapping. */
export async function mapValuesLater(json: string, map: (value: string) => Promise<string>): Promise<string> {
  const values = new Map<string, string>();
  // Collected in one pass that changes nothing.
  mapValues(json, (value) => {
    values.set(value, value);
    return value;
  });
  for (const value of values.keys()) values.set(value, await map(value));
  return mapValues(json, (value) => values.get(value) ?? value);
}

/** The strings of a JSON text, with their quotes, and the parts between them. */
function* piecesOf(json: string): Generator<string> {
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    if (quote === -1) {
      yield json.slice(at);
      return;
    }
    let end = quote + 1;
    while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
    yield json.slice(at, quote);
    yield json.slice(quote, end + 1);
    at = end + 1;
  }
}

function valueOf(token: string): string {
  return token.startsWith('"') ? (JSON.parse(token) as string) : token;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
