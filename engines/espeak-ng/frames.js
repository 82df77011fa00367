/**
 * Frames on a byte stream: 4 bytes length of the header, 4 bytes length of the body (both big-endian), the header
 * as JSON, the body as it is.
 */

/** Longest frame that is read. A job is a few hundred bytes. */
const MAX_FRAME = 1024 * 1024;

/**
 * @param {object} header
 * @param {Uint8Array} [body]
 */
export function frame(header, body = new Uint8Array()) {
  const text = Buffer.from(JSON.stringify(header));
  // Samples of 16 bits in the body then lie at even bytes, and need not be copied.
  const json = text.length % 2 === 0 ? text : Buffer.concat([text, Buffer.from(' ')]);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, json, body]);
}

/**
 * Answers the frames of a stream in order, each as its header.
 * @param {AsyncIterable<Buffer>} stream
 */
export async function* frames(stream) {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 8) {
      const header = rest.readUInt32BE(0);
      const length = 8 + header + rest.readUInt32BE(4);
      if (length > MAX_FRAME) throw new Error('frame too long');
      if (rest.length < length) break;
      yield JSON.parse(rest.subarray(8, 8 + header).toString());
      rest = rest.subarray(length);
    }
  }
}
