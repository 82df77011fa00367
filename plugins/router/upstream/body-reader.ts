/** Whoever takes the body of an answer, piece by piece. After `end` or `fail` nothing comes. */
export interface BodyReader {
  piece(bytes: Buffer): void;
  end(): void;
  fail(error: Error): void;
}
