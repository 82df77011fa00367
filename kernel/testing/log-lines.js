/** A log that a test can read. */
import { Writable } from 'node:stream';
/** Collects a log for a test to read. */
export class LogLines extends Writable {
    lines = [];
    _write(chunk, _encoding, done) {
        this.lines.push(...chunk.toString().trimEnd().split('\n'));
        done();
    }
}
//# sourceMappingURL=log-lines.js.map