/** Functions that the cases' schema writes in SQL, which a catalog file cannot hold: here as a module. */

export function computed_overload(): boolean {
  return true;
}

export function always_true(): boolean {
  return true;
}
