/** Parts that the operations of relations and of functions share. */

export function described(comment: string | undefined): { description?: string } {
  return comment === undefined ? {} : { description: comment };
}

/** `Prefer`, and the header that names a schema other than the default. */
export function profileHeaders(name: string, profile: string | undefined): object {
  const prefer = text('What to answer and how: `return=representation`, `count=exact`, `tx=rollback`, ...');
  return {
    type: 'object',
    required: profile === undefined ? [] : [name],
    properties: {
      Prefer: prefer,
      ...(profile !== undefined && { [name]: { type: 'string', const: profile, description: 'The schema' } }),
    },
  };
}

export function text(description: string, example?: string): object {
  return { type: 'string', description, ...(example !== undefined && { examples: [example] }) };
}
