/** The config, and the requests and responses of the routes. */
import { Type } from 'plugboard/sdk';

export const Config = Type.Object(
  {
    pollInterval: Type.Integer({
      minimum: 1,
      maximum: 3_600,
      default: 60,
      description: 'seconds that clients should wait between two polls',
    }),
    maxPollInterval: Type.Integer({
      minimum: 1,
      maximum: 3_600,
      default: 600,
      description: 'the most that they are asked to wait when the server is busy',
    }),
    retentionDays: Type.Integer({
      minimum: 1,
      maximum: 36_500,
      default: 90,
      description: 'days that events are kept',
    }),
    maxFollowed: Type.Integer({
      minimum: 1,
      maximum: 50_000,
      default: 5_000,
      description: 'users and repositories that one user may follow and watch',
    }),
    scanLimit: Type.Integer({
      minimum: 1_000,
      maximum: 1_000_000,
      default: 10_000,
      description: 'events that one page may look at; a feed ends where private events use them up',
    }),
    cacheMegabytes: Type.Integer({
      minimum: 1,
      maximum: 4_096,
      default: 32,
      description: 'memory for pages, by entity tag',
    }),
    maxStreams: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 1_000,
      description: 'streams of events that are open at a time on an instance',
    }),
    maxStreamsPerCaller: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 100,
      description:
        'of them, those of one user, application or API key, or of one address without a credential',
    }),
    baseUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#"<>]+(/[^\\s?#"<>]*)?$',
        description: 'the address in links and records; default: the one that the client used',
      }),
    ),
    demo: Type.Optional(
      Type.String({
        file: true,
        description: 'a file with a directory and events to begin with, see config/demo/events.json',
      }),
    ),
  },
  { additionalProperties: false },
);

export const PageQuery = Type.Object({
  page: Type.Optional(Type.String({ description: '1 to 10; thirty records each' })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'in place of `page`: empty for the newest thirty, then as `Link` says, however old they are',
    }),
  ),
});

export const RepositoryPath = Type.Object({ owner: Type.String(), repo: Type.String() });
export const RepositoryIdPath = Type.Object({
  id: Type.String({ description: 'The number of the repository.' }),
});
export const OrganizationPath = Type.Object({ org: Type.String() });
export const UserPath = Type.Object({ username: Type.String() });
export const DashboardPath = Type.Object({ username: Type.String(), org: Type.String() });

const Account = Type.Object({
  id: Type.Integer(),
  login: Type.String(),
  image_id: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
});

export const Event = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    actor: Account,
    repo: Type.Object({ id: Type.Integer(), name: Type.String(), url: Type.Optional(Type.String()) }),
    payload: Type.Object({}, { additionalProperties: true }),
    public: Type.Optional(Type.Boolean()),
    created_at: Type.String(),
    org: Type.Optional(Account),
  },
  { title: 'Event' },
);
export const EventList = Type.Array(Event);

export const IssueEvent = Type.Object(
  { id: Type.Integer(), event: Type.String(), created_at: Type.String() },
  { title: 'IssueEvent', additionalProperties: true },
);
export const IssueEventList = Type.Array(IssueEvent);

const NewAccount = Type.Object({
  id: Type.Optional(Type.Integer({ minimum: 1 })),
  login: Type.String({ minLength: 1, maxLength: 100 }),
  image_id: Type.Optional(Type.String({ maxLength: 2_000 })),
  avatar_url: Type.Optional(Type.String({ maxLength: 2_000 })),
  url: Type.Optional(Type.String({ maxLength: 2_000 })),
});

export const NewEvents = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        type: Type.String({ minLength: 1, maxLength: 100 }),
        actor: NewAccount,
        repo: Type.Object({
          id: Type.Optional(Type.Integer({ minimum: 1 })),
          name: Type.String({ minLength: 3, maxLength: 201, description: 'owner/name' }),
          url: Type.Optional(Type.String({ maxLength: 2_000 })),
        }),
        org: Type.Optional(NewAccount),
        payload: Type.Optional(Type.Object({}, { additionalProperties: true })),
        public: Type.Optional(Type.Boolean()),
        created_at: Type.Optional(Type.String()),
      }),
      { maxItems: 1_000 },
    ),
  },
  {
    title: 'Events',
    examples: [
      {
        events: [
          {
            type: 'WatchEvent',
            actor: { login: 'lin' },
            repo: { name: 'jonas/tides' },
            payload: { action: 'started' },
            public: true,
          },
        ],
      },
    ],
  },
);
export const Published = Type.Object({
  ids: Type.Array(Type.String()),
  stored: Type.Integer({ description: 'how many were new' }),
  known: Type.Integer({ description: 'how many have an id that is known' }),
  expired: Type.Integer({ description: 'how many are older than the retention, and not stored' }),
});

export const NewIssueEvents = Type.Object(
  {
    repository: Type.String({ minLength: 3, maxLength: 201, description: 'owner/name' }),
    events: Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 1_000 }),
  },
  {
    title: 'IssueEvents',
    examples: [
      { repository: 'jonas/tides', events: [{ id: 1, event: 'closed', created_at: '2026-01-31T09:00:00Z' }] },
    ],
  },
);
export const PublishedIssueEvents = Type.Object({ stored: Type.Integer() });

export const DirectoryChanged = Type.Object({ put: Type.Integer(), removed: Type.Integer() });

export const DirectoryQuery = Type.Object({
  after: Type.String({ default: '', maxLength: 200, description: 'the `next` of the page before' }),
});
export const DirectoryPart = Type.Object({
  part: Type.Union([Type.Literal('accounts'), Type.Literal('repositories'), Type.Literal('ties')]),
});
export const DirectoryPage = Type.Object({
  items: Type.Array(Type.Object({}, { additionalProperties: true })),
  next: Type.Union([Type.String(), Type.Null()]),
});
