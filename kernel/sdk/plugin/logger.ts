/** The logger that a plugin gets: pino's levels, an object first and a sentence second, or a sentence alone. */
interface LogMethod {
  (fields: object, message?: string): void;
  (message: string): void;
}

export interface Logger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
}
