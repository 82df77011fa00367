/** One API key's requests to one server, and what several suites ask of it. */

export type Call = (method: string, path: string, body?: object) => Promise<Response>;

export function caller({ url }: { readonly url: string }, key: string): Call {
  return (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
}

/** The keys of every memory that is stored, of all pages. */
export async function memoryKeys(call: Call): Promise<string[]> {
  const keys: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await call('GET', `/api/memory?limit=200&page=${page}`);
    const { data, totalPages } = (await answer.json()) as { data: { key: string }[]; totalPages: number };
    keys.push(...data.map(({ key }) => key));
    pages = totalPages;
  }
  return keys;
}
