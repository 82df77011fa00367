/** What an import is measured beside: the same file, unzipped and each line parsed, and nothing else. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const [path = ''] = process.argv.slice(2);
const CHUNK = 256 * 1024;
const NEWLINE = 10;

const before = process.cpuUsage();
let lines = 0;
let open = Buffer.alloc(0);
const file = createReadStream(path, { highWaterMark: CHUNK });
for await (const chunk of file.pipe(createGunzip({ chunkSize: CHUNK })) as AsyncIterable<Buffer>) {
  let from = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
    const rest = chunk.subarray(from, end);
    JSON.parse((open.length === 0 ? rest : Buffer.concat([open, rest])).toString('utf8'));
    open = Buffer.alloc(0);
    lines += 1;
    from = end + 1;
  }
  open = Buffer.concat([open, chunk.subarray(from)]);
}
const { user, system } = process.cpuUsage(before);
if (lines === 0) throw new Error(`${path} holds no line`);
// Without the start of the process, as an import by a running server is without it.
console.log(user + system);
