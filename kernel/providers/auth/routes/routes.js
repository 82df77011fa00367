import { appRoutes } from './apps.js';
import { keyRoutes } from './keys.js';
import { sessionRoutes } from './session.js';
import { userRoutes } from './users.js';
export function mountRoutes(app, parts) {
    // Answers hold secrets that are shown once.
    app.addHook('onRequest', (_request, reply, done) => {
        void reply.header('cache-control', 'no-store');
        done();
    });
    sessionRoutes(app, parts);
    keyRoutes(app, parts);
    userRoutes(app, parts);
    appRoutes(app, parts);
}
//# sourceMappingURL=routes.js.map