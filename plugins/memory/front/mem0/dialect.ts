/** Error shape of mem0's clients: Python's reads `detail`, JavaScript's the whole body. */
import { Type, type Dialect } from 'plugboard/sdk';

const mem0Errors: Dialect = {
  name: 'mem0',
  schema: Type.Object({ detail: Type.String(), code: Type.String() }, { title: 'Mem0Error' }),
  render: ({ status, headers, code, message }) => ({ status, headers, body: { detail: message, code } }),
};

/** Including unsupported paths: exports, summaries, profiles. */
const PATHS =
  /^\/{0,2}v[0-9]\/(?:ping|memories|entities|batch|feedback|event|exports|summary|profiles)(?:\/|$)/;

/** Undefined for paths of other clients. */
export function mem0Dialect(path: string): Dialect | undefined {
  return PATHS.test(path) ? mem0Errors : undefined;
}
