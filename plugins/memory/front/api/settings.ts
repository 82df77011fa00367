/** `/api/settings/memory`. */
import type { Auth, Routes } from 'plugboard/sdk';
import { Settings, SettingsPatch } from '../../engine/settings/settings.js';
import type { StoredSettings } from '../../engine/settings/stored-settings.js';

export interface SettingsRoutes {
  readonly auth: Auth;
  readonly settings: StoredSettings;
  /** Another source or model may have been selected. */
  reindexSoon(): void;
}

export function settingsRoutes(app: Routes, { auth, settings, reindexSoon }: SettingsRoutes): void {
  const onRequest = auth.guard('management');
  const tags = ['Settings'];

  app.get(
    '/api/settings/memory',
    { onRequest, schema: { summary: 'Read the settings of memory', tags, response: { 200: Settings } } },
    () => settings.read(),
  );

  app.put(
    '/api/settings/memory',
    {
      onRequest,
      schema: {
        summary: 'Change settings of memory; what is left out stays',
        tags,
        body: SettingsPatch,
        response: { 200: Settings },
      },
    },
    async (request) => {
      const stored = await settings.change(request.body);
      reindexSoon();
      return stored;
    },
  );
}
