/** Queries and pages of the audit log. */
import { type AuditOperation, Type } from 'plugboard/sdk';
import { Nullable, strict } from '../schema.js';

export const AuditQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
    after: Type.Optional(Type.String({ maxLength: 200, description: '`next` of the page before.' })),
    actor: Type.Optional(Type.String({ maxLength: 300, description: 'Who did it, as records name them.' })),
    action: Type.Optional(Type.String({ maxLength: 200, description: 'Actions that begin so.' })),
    operations: Type.Boolean({
      default: false,
      description: 'One record for each operation: its result, or its beginning where there is no result.',
    }),
  },
  strict,
);

export const AuditList = Type.Object({
  records: Type.Unsafe<readonly AuditOperation[]>(
    Type.Array(
      Type.Object({
        chain: Type.String(),
        seq: Type.Integer(),
        at: Type.String({ format: 'date-time' }),
        action: Type.String(),
        outcome: Type.String(),
        actor: Type.String(),
        name: Type.Optional(Type.String()),
        address: Type.Optional(Type.String()),
        target: Type.Optional(Type.String()),
        fields: Type.Optional(Type.Array(Type.String())),
        reason: Type.Optional(Type.String()),
        request: Type.Optional(Type.String()),
        count: Type.Optional(Type.Integer()),
        previous: Type.String(),
        hash: Type.String(),
        startedAt: Type.Optional(
          Type.String({
            format: 'date-time',
            description:
              'With `operations`: when the operation with this result began. Not part of the record.',
          }),
        ),
      }),
    ),
  ),
  next: Nullable(Type.String()),
});
