/**
 * Every error that the data API answers. SVC codes are the service's own; five characters are SQLSTATEs, which
 * clients of PostgreSQL know (PostgreSQL documentation, appendix A). A code is never reused for something else.
 */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  SVC000: {
    status: 503,
    message: 'Storage connection error. Retrying the connection.',
    when: 'The storage cannot be reached.',
  },
  SVC003: {
    status: 504,
    message: 'Timed out waiting for the storage.',
    when: 'The storage takes too long to answer.',
  },
  SVC100: {
    status: 400,
    message: '"failed to parse {parameter} ({text})" (line 1, column {column})',
    when: 'A query parameter does not parse; `details` says what was met and what expected.',
  },
  SVC101: {
    status: 405,
    message: 'Cannot use the {method} method on RPC',
    when: 'A function is called with another method than GET, HEAD and POST.',
  },
  SVC102: {
    status: 400,
    message: 'Empty or invalid json',
    when: 'A body is not what its content type says.',
  },
  SVC103: {
    status: 416,
    message: 'Requested range not satisfiable',
    when: 'A range or a limit is out of bounds.',
  },
  SVC105: {
    status: 405,
    message: "Filters must include all and only primary key columns with 'eq' operators",
    when: 'PUT does not name exactly one row by its primary key.',
  },
  SVC106: {
    status: 406,
    message: 'Invalid schema: {schema}',
    when: '`Accept-Profile` or `Content-Profile` names a schema that is not exposed.',
  },
  SVC107: {
    status: 406,
    message: 'None of these media types are available: {types}',
    when: 'No media type of `Accept` can be made.',
  },
  SVC108: {
    status: 400,
    message: "'{name}' is not an embedded resource in this request",
    when: 'A filter, an order or a limit is put on a resource that `select` does not embed.',
  },
  SVC114: {
    status: 400,
    message: 'limit/offset querystring parameters are not allowed for PUT',
    when: 'PUT with a limit or an offset.',
  },
  SVC115: {
    status: 400,
    message: 'Payload values do not match URL in primary key column(s)',
    when: 'The body of a PUT is another row than the URL names.',
  },
  SVC116: {
    status: 406,
    message: 'Cannot coerce the result to a single JSON object',
    when: 'A single object was asked for and the result is not exactly one row. A write is rolled back.',
  },
  SVC117: {
    status: 405,
    message: 'Unsupported HTTP method: {method}',
    when: 'A relation is requested with a method that it has no meaning for.',
  },
  SVC118: {
    status: 400,
    message: "A related order on '{name}' is not possible",
    when: 'Rows are ordered by a column of a to-many relationship.',
  },
  SVC120: {
    status: 400,
    message: "Bad operator on the '{name}' embedded resource",
    when: 'An embedded resource is filtered by something else than null or a count.',
  },
  SVC122: {
    status: 400,
    message: 'Invalid preferences given with handling=strict',
    when: '`Prefer: handling=strict` with a preference that does not exist.',
  },
  SVC123: {
    status: 400,
    message: 'Use of aggregate functions is not allowed',
    when: 'An aggregate is selected and the config key `aggregates` is off.',
  },
  SVC124: {
    status: 400,
    message: 'Query result exceeds max-affected preference constraint',
    when: 'A write would change more rows than `Prefer: handling=strict, max-affected=N` allows. It is rolled back.',
  },
  SVC125: {
    status: 404,
    message: 'Invalid path specified in request URL',
    when: 'A path is deeper than a relation.',
  },
  SVC126: { status: 404, message: 'Root endpoint metadata is disabled', when: '`openapi: disabled`.' },
  SVC127: { status: 400, message: 'Feature not implemented', when: 'A combination that is not offered.' },
  SVC128: {
    status: 400,
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    when: '`max-affected` on a function with one result.',
  },
  SVC129: {
    status: 400,
    message: 'The request costs too much',
    when: 'The config keys `maxDepth` and `maxEmbeds` are exceeded.',
  },
  SVC130: {
    status: 422,
    message: 'The catalog was not reloaded; the one before stays in force',
    when: 'The catalog file has problems at a reload; `details` shows them with their places.',
  },
  SVC132: {
    status: 400,
    message: "The changes of '{schema}.{relation}' are not told",
    when: 'A subscription to a relation whose table is not `live` in the catalog.',
  },
  SVC133: {
    status: 503,
    message: '{most} subscriptions are open already',
    when: 'The config key `maxSubscriptions` is reached. Try again later.',
  },
  SVC134: {
    status: 429,
    message: 'You have {most} subscriptions open already, the most of one caller',
    when: 'The config key `maxSubscriptionsPerCaller` is reached. Close one.',
  },
  SVC135: {
    status: 409,
    message: 'The rows of "{relation}" would hold more than {most} characters',
    when: 'A write would make the rows of a table hold more than the config key `maxCharacters` says.',
  },
  SVC200: {
    status: 400,
    message: "Could not find a relationship between '{origin}' and '{target}' in the schema cache",
    when: 'An embedded resource is not related.',
  },
  SVC201: {
    status: 300,
    message: "Could not embed because more than one relationship was found for '{origin}' and '{target}'",
    when: 'An embedded resource is related in several ways; `hint` lists them.',
  },
  SVC202: {
    status: 404,
    message: 'Could not find the function {function} in the schema cache',
    when: 'No function of that name takes these arguments.',
  },
  SVC203: {
    status: 300,
    message: 'Could not choose the best candidate function between: {candidates}',
    when: 'Several functions of one name take these arguments.',
  },
  SVC204: {
    status: 400,
    message: "Could not find the '{column}' column of '{relation}' in the schema cache",
    when: '`columns` names, or a body has, a column that the relation does not have.',
  },
  SVC205: {
    status: 404,
    message: "Could not find the table '{schema}.{relation}' in the schema cache",
    when: 'A relation does not exist in the schema.',
  },

  '0A000': {
    status: 501,
    message: '{feature} is not supported',
    when: 'The storage cannot do it: writes on a standalone MongoDB server, which has no transactions.',
  },
  '21000': {
    status: 400,
    message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
    when: 'An upsert holds the same key twice.',
  },
  '22000': {
    status: 400,
    message: 'data exception',
    when: 'The bounds of a range are in the wrong order.',
  },
  '22001': {
    status: 400,
    message: 'value too long for type {type}',
    when: 'A text is longer than its column.',
  },
  '22003': {
    status: 400,
    message: 'value "{value}" is out of range for type {type}',
    when: 'A number is too large for its type.',
  },
  '22007': {
    status: 400,
    message: 'invalid input syntax for type {type}: "{value}"',
    when: 'A date or time that cannot be read.',
  },
  '22008': {
    status: 400,
    message: 'date/time field value out of range: "{value}"',
    when: 'A date or time that does not exist.',
  },
  '22023': {
    status: 400,
    message: 'invalid parameter value',
    when: 'A JSON value is cast to a type that it is not.',
  },
  '22026': {
    status: 400,
    message: 'bit string length {length} does not match type {type}',
    when: 'A bit string is not as long as its column.',
  },
  '22P02': {
    status: 400,
    message: 'invalid input syntax for type {type}: "{value}"',
    when: 'A literal or a value of a body is not of its type.',
  },
  '22P05': {
    status: 400,
    message: 'unsupported Unicode escape sequence',
    when: 'A text holds the character U+0000.',
  },
  '2201B': {
    status: 400,
    message: 'invalid regular expression: {reason}',
    when: '`match` or `imatch` with a pattern that cannot be read.',
  },
  '23502': {
    status: 400,
    message: 'null value in column "{column}" of relation "{relation}" violates not-null constraint',
    when: 'A required column gets no value.',
  },
  '23503': {
    status: 409,
    message: 'insert or update on table "{relation}" violates foreign key constraint "{constraint}"',
    when: 'A referenced row does not exist, or a row is still referenced.',
  },
  '23505': {
    status: 409,
    message: 'duplicate key value violates unique constraint "{constraint}"',
    when: 'A key or a unique value is there already.',
  },
  '23514': {
    status: 400,
    message: 'new row for relation "{relation}" violates check constraint "{constraint}"',
    when: 'A row does not pass a check.',
  },
  '25006': {
    status: 405,
    message: 'cannot execute {function} in a read-only transaction',
    when: 'A function that writes is called with GET.',
  },
  '40001': {
    status: 409,
    message: 'could not serialize access due to concurrent update',
    when: 'A write lost against others again and again. Nothing was stored; try again.',
  },
  '42501': {
    status: 403,
    message: 'permission denied for table {relation}',
    when: 'A column or a table is not granted to the caller, or a policy refuses a row that is to be stored.',
  },
  '42601': {
    status: 400,
    message: 'syntax error',
    when: 'A search (`fts`) or a tsvector that cannot be read.',
  },
  '42703': {
    status: 400,
    message: 'column {relation}.{column} does not exist',
    when: 'A column of `select`, a filter or an order does not exist.',
  },
  '42803': {
    status: 400,
    message:
      'column "{relation}.{column}" must appear in the GROUP BY clause or be used in an aggregate function',
    when: 'Groups are ordered by a column that neither `select` names without an aggregate nor a spread has.',
  },
  '42804': {
    status: 400,
    message: 'argument of {construct} must be type {expected}, not type {actual}',
    when: 'An operator or an aggregate does not fit the type of its column.',
  },
  '42846': {
    status: 400,
    message: 'cannot cast type {from} to {to}',
    when: 'A cast between types that have none.',
  },
  '42704': { status: 400, message: 'type "{type}" does not exist', when: 'A cast to an unknown type.' },
  '42883': {
    status: 404,
    message: 'operator does not exist: {left} {operator} {right}',
    when: 'An operator does not exist for the type of its column.',
  },
  '428C9': {
    status: 400,
    message: 'cannot insert a non-DEFAULT value into column "{column}"',
    when: 'A generated column is written.',
  },
  '42P10': {
    status: 400,
    message: 'there is no unique or exclusion constraint matching the ON CONFLICT specification',
    when: '`on_conflict` names columns that no key and no unique constraint has.',
  },
  '54000': {
    status: 400,
    message: 'program limit exceeded',
    when: 'A literal is larger than its type can be.',
  },
  '55000': {
    status: 405,
    message: 'cannot {verb} view "{relation}"',
    when: 'A view that cannot be written is written.',
  },
  P0001: { status: 400, message: '{message}', when: 'A function of a trusted module refuses its arguments.' },
});
