/** A word on its way from writing to sound: what it is now, and each change with the article that asks for it. */
export interface PronunciationChange {
  /** The article of the rules of standard pronunciation. */
  readonly article: number;
  readonly from: string;
  readonly to: string;
}

export interface SpokenWord {
  readonly written: string;
  /** In Hangul, as it is pronounced. */
  readonly spoken: string;
  readonly changes: readonly PronunciationChange[];
}
