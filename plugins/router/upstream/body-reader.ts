/** Takes the body of an answer, piece by piece. Nothing follows `end` or `fail`. */
export interface BodyReader {
  piece(bytes: Buffer): void;
  end(): void;
  fail(error: Error): void;
}
