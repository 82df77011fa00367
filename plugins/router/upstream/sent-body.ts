/** What is sent to an upstream. */
import type { Readable } from 'node:stream';

/** JSON, or a form. */
export type SentBody = string | SentForm;

/** Written as often as it is sent. */
export interface SentForm {
  /** With its boundary. */
  readonly type: string;
  /** Bytes. */
  readonly length: number;
  stream(): Readable;
}
