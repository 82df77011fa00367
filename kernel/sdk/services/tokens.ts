/** Tokens of the core services. */
import type { Audit } from './audit.js';
import type { Auth } from './auth.js';
import type { Changes } from './changes.js';
import type { Clock } from '../plugin/clock.js';
import type { Directory } from './directory.js';
import type { ErrorRenderer } from '../http/errors.js';
import type { EventFeed } from './event-feed.js';
import type { Observers } from '../plugin/hooks.js';
import type { Jobs } from './jobs.js';
import type { Metrics } from './metrics.js';
import type { Models } from './models.js';
import type { Pages } from '../plugin/pages.js';
import type { People } from '../plugin/people.js';
import type { RateLimit } from './rate-limit.js';
import type { Scopes } from '../plugin/scopes.js';
import type { Secrets } from './secrets.js';
import type { SlowReaders } from './slow-readers.js';
import type { Storage } from '../storage/port.js';
import { token } from '../plugin/token.js';

export const STORAGE = token<Storage>('plugboard.storage@1');
/** Who did what to the server. */
export const AUDIT = token<Audit>('plugboard.audit@1');
export const AUTH = token<Auth>('plugboard.auth@1');
/** People and organizations. */
export const DIRECTORY = token<Directory>('plugboard.directory@1');
export const ERRORS = token<ErrorRenderer>('plugboard.errors@1');
export const SECRETS = token<Secrets>('plugboard.secrets@1');
export const CLOCK = token<Clock>('plugboard.clock@1');
export const SLOW_READERS = token<SlowReaders>('plugboard.slow-readers@1');
export const METRICS = token<Metrics>('plugboard.metrics@1');
/** Observation of work by plugins' hooks. */
export const OBSERVERS = token<Observers>('plugboard.observers@1');
/** The scopes that the enabled plugins declare. */
export const SCOPES = token<Scopes>('plugboard.scopes@1');
/** The pages of the enabled plugins, for a plugin that shows them. */
export const PAGES = token<Pages>('plugboard.pages@1');
/** The `people` parts of the enabled plugins, for exporting and erasing a person's data. */
export const PEOPLE = token<People>('plugboard.people@1');
export const MODELS = token<Models>('plugboard.models@1');
/** Long or delayed work, kept in storage. */
export const JOBS = token<Jobs>('plugboard.jobs@1');
/** Present if a plugin that limits requests is enabled: take it as a want. */
export const RATE_LIMIT = token<RateLimit>('plugboard.rate-limit@1');
/** Present if the events plugin is enabled: take it as a want. */
export const EVENT_FEED = token<EventFeed>('plugboard.event-feed@1');
/** Present if the changes plugin is enabled: take it as a want. */
export const CHANGES = token<Changes>('plugboard.changes@1');
