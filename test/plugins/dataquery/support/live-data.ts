/** Todos with policies whose changes are told, and a reader of server-sent events. */
export const TODOS = `
exposed: [public]
schemas:
  public:
    relations:
      todos:
        live: true
        columns: { id: { type: integer, required: true }, user_id: text, title: text, done: { type: boolean, default: false }, secret: text, big: bigint, more: jsonb, price: numeric }
        primaryKey: [id]
        grants:
          anon: { select: [id] }
          authenticated: { select: [id, user_id, title, done, big, more, price], insert: "*", update: "*", delete: true }
          service: { select: "*", insert: "*", update: "*", delete: true }
        policies:
          own: { to: [authenticated], using: { user_id: eq.$jwt.sub } }
          shared: { for: select, to: [authenticated], using: { exists: { members: { user_id: eq.$jwt.sub, todo_id: eq.$row.id } } } }
          all: { to: [service], using: true }
      members: { columns: { user_id: text, todo_id: integer }, primaryKey: [user_id, todo_id] }
      quiet: { columns: { id: integer }, primaryKey: [id] }
      open_todos: { kind: view, from: todos, columns: { id: { base: id }, what: { base: title } }, where: { done: is.false } }
`;

export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of one answer, in order; comments are left out. */
export class EventStreamReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #leave: AbortController;
  #text = '';

  private constructor(response: Response, leave: AbortController) {
    this.response = response;
    this.#leave = leave;
    this.#reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStreamReader> {
    const leave = new AbortController();
    return new EventStreamReader(await fetch(url, { headers, signal: leave.signal }), leave);
  }

  /** Undefined at the end of the answer. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) {
        const { value, done } = await this.#reader.read();
        if (done) return undefined;
        this.#text += this.#decoder.decode(value, { stream: true });
        continue;
      }
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const of = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const event = of('event');
      if (event !== undefined)
        return { id: of('id'), event, data: JSON.parse(of('data') ?? '{}') as StreamEvent['data'] };
    }
  }

  /** Throws where the answer ends before. */
  async expect(event: string): Promise<StreamEvent> {
    const next = await this.next();
    if (next?.event === event) return next;
    throw new Error(`expected "${event}", got ${JSON.stringify(next)}`);
  }

  /** Of a refusal. */
  async code(): Promise<string> {
    let text = '';
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) return (JSON.parse(text) as { code: string }).code;
      text += this.#decoder.decode(value);
    }
  }

  close(): void {
    this.#leave.abort();
  }
}
