/** Server-sent events (WHATWG HTML, 9.2): pieces of text in, whole events out. */
export interface SseEvent {
  /** The `data` lines joined by line feeds; undefined for an event without data, e.g. a comment that keeps the line open. */
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
  #rest = '';

  /** `maxLength`: of one event, in UTF-16 units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The events that this piece completes. */
  push(piece: string): SseEvent[] {
    const text = this.#rest + piece;
    // A blank line may begin in what was there before, at most three characters back.
    BLANK_LINE.lastIndex = Math.max(0, this.#rest.length - 3);
    const events: SseEvent[] = [];
    let start = 0;
    for (let match = BLANK_LINE.exec(text); match !== null; match = BLANK_LINE.exec(text)) {
      const end = match.index + match[0].length;
      if (end - start > this.#maxLength) throw new EventTooLarge();
      events.push({ data: dataOf(text.slice(start, match.index)), text: text.slice(start, end) });
      start = end;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > this.#maxLength) throw new EventTooLarge();
    return events;
  }

  /** Whether an event has begun that has not ended. */
  get isInside(): boolean {
    return this.#rest.trim() !== '';
  }
}

const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/g;

function dataOf(block: string): string | undefined {
  // By far the most events are one line of data.
  if (block.startsWith('data:') && !block.includes('\n') && !block.includes('\r')) return field(block);
  const lines = block.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map(field).join('\n');
}

function field(line: string): string {
  return line.slice(line[5] === ' ' ? 6 : 5);
}
