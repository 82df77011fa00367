/** Server-sent events (WHATWG HTML, 9.2): pieces of text in, whole events out. */
export interface SseEvent {
  /** Its `data` lines, trimmed and joined by line feeds; undefined for an event without data, e.g. a comment that keeps the line open. */
  readonly data: string | undefined;
  /** As it came, the blank line that ends it included. */
  readonly text: string;
}

/** An event grew beyond the limit. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}

export class SseParser {
  readonly #maxLength: number;
  /** The event that has begun. */
  #rest = '';
  /** Its last characters, in which a blank line may begin. */
  #tail = '';
  #isFirst = true;

  /** `maxLength`: of one event, in UTF-16 units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The events that this piece completes. */
  push(piece: string): SseEvent[] {
    const unread = this.#isFirst && piece.startsWith(BYTE_ORDER_MARK) ? piece.slice(1) : piece;
    if (piece !== '') this.#isFirst = false;
    const events: SseEvent[] = [];
    // An event of many pieces is searched a piece at a time and put together once.
    const window = this.#tail + unread;
    BLANK_LINE.lastIndex = 0;
    if (!BLANK_LINE.test(window)) {
      this.#keep(this.#rest + unread, window);
      return events;
    }
    const text = this.#rest + unread;
    BLANK_LINE.lastIndex = this.#rest.length - this.#tail.length;
    let start = 0;
    for (let match = BLANK_LINE.exec(text); match !== null; match = BLANK_LINE.exec(text)) {
      const end = match.index + match[0].length;
      if (end - start > this.#maxLength) throw new EventTooLarge();
      events.push({ data: dataOf(text.slice(start, match.index)), text: text.slice(start, end) });
      start = end;
    }
    const rest = text.slice(start);
    this.#keep(rest, rest);
    return events;
  }

  /** The incomplete event at the end of the input. */
  rest(): string {
    return this.#rest.trim();
  }

  #keep(rest: string, end: string): void {
    if (rest.length > this.#maxLength) throw new EventTooLarge();
    this.#rest = rest;
    this.#tail = end.slice(-LONGEST_BLANK_LINE + 1);
  }
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Two line ends, each LF, CR or CRLF. After an LF, a CR at the end of a piece waits for what follows it. */
const BLANK_LINE = /\r?\n(?:\r?\n|\r(?=[^]))|\r\r\n?/g;
const LONGEST_BLANK_LINE = 4;

/** The data of an event's lines. The space around it means nothing: it is JSON, or `[DONE]`. */
export function dataOf(block: string): string | undefined {
  // By far the most events are one line of data.
  if (block.startsWith('data:') && !block.includes('\n') && !block.includes('\r')) return field(block);
  const lines = block.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map(field).join('\n');
}

function field(line: string): string {
  return line.slice(5).trim();
}
