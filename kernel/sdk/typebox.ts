/** TypeBox. The build bundles this module into one file: reading the package's 680 files takes 0.4 s of each start. */
export { Type, type Static, type TSchema, type TObject } from 'typebox';
export { Value } from 'typebox/value';
