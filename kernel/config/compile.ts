/** JSON Schemas compiled by ajv: slow to load and to run, and reports every fault of a schema and of a value. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** Strict, all errors at once, no coercion, and the keywords `secret`, `folder`, `file`, `deprecated` and `movedTo`. */
const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  allErrors: true,
  useDefaults: true,
  verbose: true,
  // For one or two calls optimizing takes longer than it saves.
  code: { optimize: false },
});
addFormats.default(ajv);
ajv.addKeyword({ keyword: 'secret', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'folder', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'file', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'movedTo', schemaType: 'string' });

// Compiling is expensive, and a compiled schema never changes.
const compiled = new WeakMap<object, ValidateFunction>();
const asserted = new WeakSet<object>();

/** Throws for a schema that is not valid JSON Schema. */
export function assertSchema(schema: object): void {
  if (asserted.has(schema)) return;
  void ajv.validateSchema(schema, true);
  asserted.add(schema);
}

/** Throws for a schema that is not valid JSON Schema. */
export function compileSchema(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  try {
    const validate = ajv.compile(schema);
    compiled.set(schema, validate);
    return validate;
  } finally {
    // Ajv would keep every schema it ever saw.
    ajv.removeSchema(schema);
  }
}
