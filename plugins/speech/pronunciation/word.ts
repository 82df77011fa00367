/** A word on the way from writing to sound: its present form, and each change with its article. */
export interface PronunciationChange {
  /** The article of the rules of standard pronunciation. */
  readonly article: number;
  readonly from: string;
  readonly to: string;
}

export interface SpokenWord {
  readonly written: string;
  /** In Hangul, as pronounced. */
  readonly spoken: string;
  readonly changes: readonly PronunciationChange[];
}
