/** `GET /`: the OpenAPI 2 document of the exposed relations and functions. */
import { errors } from '../../engine/base/errors.js';
import { headersOf, type Answer, type Incoming } from '../http/exchange.js';
import { negotiateOpenApi } from '../http/media-type.js';
import { chooseProfile } from '../http/profile.js';
import { openApi } from '../openapi/document.js';
import type { ApiContext } from './context.js';

export function describe(context: ApiContext, { header, method }: Incoming): Answer {
  if (!context.describes) throw errors.SVC126();
  const profile = chooseProfile(context.state.catalog, header('accept-profile'));
  const { contentType } = negotiateOpenApi(header('accept'));
  const schema = context.state.catalog.schemas.get(profile.schema);
  return {
    status: 200,
    headers: headersOf({ 'content-type': contentType, 'content-profile': profile.shown, vary: 'Accept' }),
    ...(method === 'HEAD' || schema === undefined
      ? {}
      : { body: JSON.stringify(openApi(schema, context.state.cache.rights, context.basePath)) }),
  };
}
