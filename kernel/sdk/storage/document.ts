/** Every document has a string id, made by the plugin (`newId()`). */
export interface Document {
  readonly _id: string;
}
