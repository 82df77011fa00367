/**
 * Reads a safetensors file: 8 bytes of header length (little-endian), a JSON header, raw numbers. Format:
 * https://github.com/huggingface/safetensors#format. The file is untrusted: everything is validated.
 */

export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const LENGTH_BYTES = 8;
/** The format's own limit. */
const MAX_HEADER_BYTES = 100_000_000;

type Decode = (view: DataView) => Float32Array;

/** Decoders to 32-bit floats for the types that static models use; token ids are exact below 2^24. */
const DECODERS: Readonly<Record<string, { readonly bytes: number; readonly decode: Decode }>> = {
  F32: { bytes: 4, decode: each(4, (view, at) => view.getFloat32(at, true)) },
  F16: { bytes: 2, decode: each(2, (view, at) => fromHalf(view.getUint16(at, true))) },
  BF16: { bytes: 2, decode: decodeBrainFloats },
  F64: { bytes: 8, decode: each(8, (view, at) => view.getFloat64(at, true)) },
  I32: { bytes: 4, decode: each(4, (view, at) => view.getInt32(at, true)) },
  I64: { bytes: 8, decode: each(8, (view, at) => Number(view.getBigInt64(at, true))) },
};

/** The tensors of a file by name. Throws an Error that says what is wrong with the file. */
export function readSafetensors(file: Uint8Array): Map<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < LENGTH_BYTES) throw new Error('the file is too short for a safetensors header');
  const headerLength = view.getBigUint64(0, true);
  const room = Math.min(MAX_HEADER_BYTES, file.byteLength - LENGTH_BYTES);
  if (headerLength > BigInt(room))
    throw new Error(`its header of ${headerLength} bytes does not fit the file`);
  const start = LENGTH_BYTES + Number(headerLength);
  const header = parseHeader(file.subarray(LENGTH_BYTES, start));
  const tensors = new Map<string, Tensor>();
  for (const [name, described] of Object.entries(header)) {
    if (name !== '__metadata__') tensors.set(name, readTensor(view, start, name, described));
  }
  return tensors;
}

function parseHeader(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error('its header is not JSON', { cause });
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw new Error('its header is not an object');
  }
  return header as Readonly<Record<string, unknown>>;
}

function readTensor(view: DataView, start: number, name: string, described: unknown): Tensor {
  const { dtype, shape, data_offsets: offsets } = (described ?? {}) as Readonly<Record<string, unknown>>;
  const decoder = typeof dtype === 'string' ? DECODERS[dtype] : undefined;
  if (decoder === undefined) throw new Error(`tensor "${name}" has the type ${JSON.stringify(dtype)}`);
  if (!isNaturals(shape) || !isNaturals(offsets) || offsets.length !== 2) {
    throw new Error(`tensor "${name}" has no valid shape or offsets`);
  }
  const [from, to] = offsets as [number, number];
  const bytes = shape.reduce((product, size) => product * size, decoder.bytes);
  if (to < from || to - from !== bytes || start + to > view.byteLength) {
    throw new Error(`tensor "${name}" (${shape.join(' x ')}) does not fit its place in the file`);
  }
  return { shape, values: decoder.decode(new DataView(view.buffer, view.byteOffset + start + from, bytes)) };
}

function isNaturals(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => Number.isSafeInteger(number) && number >= 0);
}

function each(bytes: number, read: (view: DataView, at: number) => number): Decode {
  return (view) => Float32Array.from({ length: view.byteLength / bytes }, (_, at) => read(view, at * bytes));
}

function decodeBrainFloats(view: DataView): Float32Array {
  const bits = new Uint32Array(view.byteLength / 2);
  for (let at = 0; at < bits.length; at++) bits[at] = view.getUint16(at * 2, true) << 16;
  return new Float32Array(bits.buffer);
}

/** IEEE 754 binary16. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
