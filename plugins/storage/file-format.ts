/** Versions of file formats, see docs/stored-formats.md. */
import { UserError } from 'plugboard/sdk';

/** Throws a `UserError` for a file written by a newer version of the server. No number means 1. */
export function assertFormat(
  what: string,
  { format = 1 }: { readonly format?: number },
  reads: number,
): void {
  if (format > reads)
    throw new UserError(
      `${what} has format ${format}, and this server reads format ${reads} and older: use the newer version of the server that has written it`,
    );
}
