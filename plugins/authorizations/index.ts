/** Authorizations: access tokens that users create for themselves and for applications. */
import {
  AUTH,
  CHANGES,
  CLOCK,
  definePlugin,
  DIRECTORY,
  JOBS,
  RATE_LIMIT,
  SECRETS,
  STORAGE,
  githubClients,
} from 'plugboard/sdk';
import { AllTokens } from './all-tokens.js';
import { applicationRoutes } from './application-routes.js';
import { ApplicationTokens, CLEAN_UP } from './application-tokens.js';
import { Authorizations } from './authorizations.js';
import { authorizationsIn } from './documents.js';
import { invalid } from './errors.js';
import { DeviceCodes } from './oauth/device-codes.js';
import { managementRoutes } from './management-routes.js';
import { OAuth } from './oauth/oauth.js';
import { oauthRoutes } from './oauth/routes.js';
import { WebCodes } from './oauth/web-codes.js';
import { pages } from './pages.js';
import { RecordedAuthorizations } from './recorded.js';
import { Revocations } from './revocations.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { verifier } from './verifier.js';
import { peopleData } from './people.js';

export default definePlugin({
  name: 'authorizations',
  api: 1,
  summary: 'access tokens of users and of applications, with two-factor authentication',
  config: Config,
  needs: { storage: STORAGE, auth: AUTH, directory: DIRECTORY, secrets: SECRETS, jobs: JOBS, clock: CLOCK },
  wants: { limits: RATE_LIMIT, changes: CHANGES },
  exposedHeaders: ['x-oauth-scopes', 'x-accepted-oauth-scopes'],
  dialect: 'github',
  clients: githubClients,
  invalid,
  setup({ config, needs, wants: { limits, changes }, onStop }) {
    const { storage, auth, directory, secrets, jobs, clock } = needs;
    const documents = authorizationsIn(storage);
    const recorded = new RecordedAuthorizations(storage, documents, changes);
    const revocations = new Revocations(storage, documents, changes);
    jobs.handle<{ appId: string }>(CLEAN_UP, (run) => revocations.cleanUp(run));
    const authorizations = new Authorizations({
      storage,
      documents,
      recorded,
      revocations,
      auth,
      secrets,
      clock,
      config,
    });
    const tokens = new ApplicationTokens({
      documents,
      recorded,
      authorizations,
      revocations,
      directory,
      jobs,
      clock,
    });
    const deviceCodes = new DeviceCodes(storage, clock);
    const oauth = new OAuth({
      auth,
      authorizations,
      webCodes: new WebCodes(storage, clock),
      deviceCodes,
      scopes: new Set(config.scopes),
    });
    onStop(auth.registerVerifier(verifier({ documents, revocations, auth, directory, storage })));
    const limit = limits?.category('core');
    const allTokens = new AllTokens({ documents, recorded, revocations, directory, auth });
    return {
      pages,
      people: peopleData(documents, recorded),
      routes: (app) => {
        routes(app, { auth, limit, authorizations });
        applicationRoutes(app, { auth, limit, tokens });
        oauthRoutes(app, { auth, limit, oauth, deviceCodes });
        managementRoutes(app, auth, allTokens);
      },
    };
  },
});
