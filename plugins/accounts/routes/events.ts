/** Events and event destinations over HTTP. Only with the plugin `changes`. */
import type { Auth, Request, Routes } from 'plugboard/sdk';
import type { Destinations } from '../events/destinations.js';
import { full, thin } from '../events/event.js';
import type { EventLog } from '../events/event-log.js';
import { listEvents } from '../events/list.js';
import {
  DeletedDestination,
  Destination,
  DestinationChange,
  DestinationList,
  DestinationListQuery,
  DestinationQuery,
  Event,
  EventList,
  EventQuery,
  Id,
  NewDestination,
  Nothing,
} from '../events/schema.js';
import { Refused } from '../errors/errors.js';
import type { Platforms } from '../platform/platforms.js';
import { access, platformOf, prefixOf } from './request.js';

export interface EventRouteParts {
  readonly auth: Auth;
  readonly platforms: Platforms;
  readonly log: EventLog;
  readonly destinations: Destinations;
  readonly defaultVersion: string;
}

export function eventRoutes(app: Routes, parts: EventRouteParts): void {
  const { auth, platforms, log, destinations, defaultVersion } = parts;
  const onRequest = [auth.guard('bearer', { scope: 'accounts' }), access(auth, platforms, defaultVersion)];
  const events = '/v2/core/events';
  const list = '/v2/core/event_destinations';
  const one = `${list}/:id`;

  app.get(
    events,
    {
      onRequest,
      schema: {
        summary: 'List the events of the last thirty days, newest first',
        querystring: EventQuery,
        response: { 200: EventList },
      },
    },
    async (request) => {
      const platform = platformOf(request);
      const { events: found, next } = await listEvents(log, platform, request.query);
      return {
        data: found.map((event) => thin(event, platform.livemode)),
        next_page_url:
          next === undefined ? null : `${prefixOf(request)}${events}?${nextQuery(request, next)}`,
        previous_page_url: null,
      };
    },
  );

  app.get(
    `${events}/:id`,
    { onRequest, schema: { summary: 'Read an event', params: Id, response: { 200: Event } } },
    async (request) => {
      const platform = platformOf(request);
      const { id } = request.params;
      const found = await log.find(platform.id, id);
      if (found === null)
        throw new Refused({ code: 'not_found', message: `there is no event "${id.slice(0, 200)}"` });
      return full(found, platform.livemode);
    },
  );

  app.post(
    list,
    {
      onRequest,
      schema: {
        summary: 'Create an event destination',
        body: NewDestination,
        response: { 200: Destination },
      },
    },
    (request) => destinations.create(platformOf(request), request.body),
  );

  app.get(
    list,
    {
      onRequest,
      schema: {
        summary: 'List the event destinations, oldest first',
        querystring: DestinationListQuery,
        response: { 200: DestinationList },
      },
    },
    async (request) => ({
      data: await destinations.list(platformOf(request), request.query.include),
      next_page_url: null,
      previous_page_url: null,
    }),
  );

  app.get(
    one,
    {
      onRequest,
      schema: {
        summary: 'Read an event destination',
        params: Id,
        querystring: DestinationQuery,
        response: { 200: Destination },
      },
    },
    (request) => destinations.read(platformOf(request), request.params.id, request.query.include),
  );

  app.post(
    one,
    {
      onRequest,
      schema: {
        summary: 'Change an event destination',
        params: Id,
        body: DestinationChange,
        response: { 200: Destination },
      },
    },
    (request) => destinations.change(platformOf(request), request.params.id, request.body),
  );

  app.delete(
    one,
    {
      onRequest,
      schema: { summary: 'Delete an event destination', params: Id, response: { 200: DeletedDestination } },
    },
    (request) => destinations.remove(platformOf(request), request.params.id),
  );

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    app.post(
      `${one}/${verb}`,
      {
        onRequest,
        schema: {
          summary: enabled ? 'Send events to a destination again' : 'Hold back the events of a destination',
          params: Id,
          body: Nothing,
          response: { 200: Destination },
        },
      },
      (request) => destinations.setEnabled(platformOf(request), request.params.id, enabled),
    );

  app.post(
    `${one}/ping`,
    {
      onRequest,
      schema: {
        summary: 'Send a test event to a destination',
        params: Id,
        body: Nothing,
        response: { 200: Event },
      },
    },
    (request) => destinations.ping(platformOf(request), request.params.id),
  );
}

/** This page's query with the position of the next. */
function nextQuery(request: Request, page: string): string {
  const { searchParams } = new URL(request.url, 'http://localhost');
  searchParams.set('page', page);
  return searchParams.toString();
}
