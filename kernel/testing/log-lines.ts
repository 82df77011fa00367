/** A log that a test can read. */
import { Writable } from 'node:stream';

/** Collects a log for a test to read. */
export class LogLines extends Writable {
  readonly lines: string[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.lines.push(...chunk.toString().trimEnd().split('\n'));
    done();
  }
}
