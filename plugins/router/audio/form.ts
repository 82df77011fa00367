/** A form with a file (multipart/form-data, RFC 7578): read within bounds, and written anew for each upstream. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { nextTurn, turnIsOver } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { SentForm } from '../upstream/sent-body.js';

export interface FormFile {
  /** The name of its field. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly pieces: readonly Buffer[];
}

export interface Form {
  /** In the order in which they came; a name may come again. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly file: FormFile | undefined;
}

const LIMITS = { fields: 100, fieldNameSize: 200, fieldSize: 65_536, files: 1, parts: 110, headerPairs: 20 };
/** Bytes that are parsed at once. */
const PIECE = 65_536;

/** Throws `invalid_request` for a body that is no form, or has more than a transcription needs. */
export async function readForm(headers: IncomingHttpHeaders, body: Buffer): Promise<Form> {
  const { Busboy } = await import('@fastify/busboy');
  const fields: [string, string][] = [];
  let file: FormFile | undefined;
  let fault: string | undefined;
  const refuse = (reason: string): void => {
    fault ??= reason;
  };
  let parser: InstanceType<typeof Busboy>;
  try {
    parser = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type']! },
      limits: LIMITS,
    });
  } catch {
    throw invalid('the content type must be multipart/form-data with a boundary');
  }
  const ended = new Promise<void>((resolve) => {
    parser.on('finish', resolve);
    parser.on('error', () => {
      refuse('the body is no form (multipart/form-data)');
      resolve();
    });
  });
  parser.on('field', (name, value, nameIsCut, valueIsCut) => {
    if (nameIsCut || valueIsCut) refuse(`the field "${name}" is too long: at most ${LIMITS.fieldSize} bytes`);
    fields.push([name, value]);
  });
  parser.on('file', (field, stream, name = '', _encoding, type) => {
    const pieces: Buffer[] = [];
    file = { field, name, type, pieces };
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', () => refuse('the form breaks off'));
  });
  parser.on('fieldsLimit', () => refuse(`a form may have at most ${LIMITS.fields} fields`));
  // What follows is not parsed: five million empty parts would take seconds.
  parser.on('partsLimit', () => refuse(`a form may have at most ${LIMITS.parts} parts`));
  parser.on('filesLimit', () => refuse('a form may have one file'));
  for (let from = 0; from < body.length && fault === undefined; from += PIECE) {
    parser.write(body.subarray(from, from + PIECE));
    if (turnIsOver()) await nextTurn();
  }
  parser.end();
  if (fault === undefined) await ended;
  if (fault !== undefined) throw invalid(fault);
  return { fields, file };
}

export function writeForm({ fields, file }: Form): SentForm {
  const boundary = `plugboard-${randomBytes(18).toString('hex')}`;
  const pieces: Buffer[] = fields.map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
    ),
  );
  if (file !== undefined) {
    const about = `form-data; name="${quoted(file.field)}"; filename="${quoted(file.name)}"`;
    const head = `--${boundary}\r\ncontent-disposition: ${about}\r\ncontent-type: ${file.type}\r\n\r\n`;
    pieces.push(Buffer.from(head), ...file.pieces, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: pieces.reduce((sum, { length }) => sum + length, 0),
    stream: () => Readable.from(pieces, { objectMode: false }),
  };
}

/** As browsers write it (WHATWG HTML, multipart/form-data encoding). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function invalid(message: string): Error {
  return errors.invalid_request({ values: { message }, param: null });
}
