/** The errors of memory, its settings and the external store. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  memory_not_found: {
    status: 404,
    message: 'there is no memory "{id}"',
    when: 'no live entry has the id: unknown, malformed, deleted, expired or archived',
  },
  foreign_memory: {
    status: 403,
    message:
      'the scope "memory" gives access only to your own memories: omit apiKeyId, and for a person also userId',
    when: "`apiKeyId` names another owner than the caller's, or a person names another `userId`, without the scope `manage`",
  },
  duplicate_memory_key: {
    status: 409,
    message:
      'the key "{key}" already names another memory of the same owner; update that one or choose another key',
    when: 'PUT would give an entry the key of another entry of its owner',
  },
  memories_too_large: {
    status: 409,
    message: 'the memories of this key have reached their limit of {most} characters: delete some first',
    when: 'a memory is added, or made longer, while those of its owner have `maxCharacters` in total',
  },
  invalid_date: {
    status: 400,
    message: '{param} "{value}" is not a date of the calendar',
    when: '`expiresAt`, `validFrom`, `validUntil` or `asOf` has the form of a date-time but names no instant',
  },
  ends_before_it_begins: {
    status: 400,
    message: 'a memory cannot end before it begins: validFrom must be earlier than validUntil',
    when: '`validUntil` is not after `validFrom`, or a memory supersedes one that began later',
  },
  already_superseded: {
    status: 409,
    message: 'another memory already supersedes "{id}": see its history',
    when: '`supersedes` names a memory that another one already supersedes, or a change of such a memory is not only of its metadata',
  },
  expired_date: {
    status: 400,
    message: 'expiresAt "{value}" has passed',
    when: '`expiresAt` of a new entry is not after now',
  },
  invalid_cursor: {
    status: 400,
    message: 'cursor is not the nextCursor of a list',
    when: '`cursor` is not from a list of entries, or is used with `q`',
  },
  page_too_large: {
    status: 400,
    message: 'the memories of this page have more than {most} characters; ask for fewer with limit',
    when: 'the contents of a page of a list are longer in total than one response may be',
  },
  memory_loading: {
    status: 503,
    message: 'the memories are being indexed after a start: {done} of {total}; try again soon',
    when: 'a list, a search or a summary is asked for before the index holds every entry; `retry-after` says when to ask again',
  },
  summarize_incomplete: {
    status: 503,
    message: 'summarizing ended early; what is done is kept, and the same request continues from there',
    when: 'the job of a summarizing request failed, was cancelled, or its server stops',
  },
  extraction_busy: {
    status: 429,
    message: '{most} conversations of this owner wait to be read for facts; try again later',
    when: 'additions with `infer` come faster than the model of `extraction` reads them',
  },
  mem0_invalid: {
    status: 400,
    message: '{problem}',
    when: "a request of mem0's clients is malformed: the message says what",
  },
  mem0_entity_missing: {
    status: 400,
    message: 'name whose memories are meant: one of user_id, agent_id, app_id or run_id',
    when: "an addition, a search or a `deleteAll` of mem0's clients names no user, agent, application or run",
  },
  mcp_unanswered: {
    status: 504,
    message: 'the call was not answered in time',
    when: 'a tool of MCP takes longer than a minute',
  },
  external_host_refused: {
    status: 400,
    message: 'the host "{host}" is not accepted: {reason}',
    when: 'the host of the external store is malformed, or leads to an address that is not allowed',
  },
});
