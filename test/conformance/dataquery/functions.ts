/** Functions of the cases' schema that are SQL there, and so cannot stand in a catalog file: here as a module. */

export function computed_overload(): boolean {
  return true;
}

export function always_true(): boolean {
  return true;
}
