/** The pages that a caller may see, with the files that the shell loads for each. */
import { relative, dirname } from 'node:path';
import { Type, type Auth, type InstalledPage, type Principal, type Static } from 'plugboard/sdk';
import { builtPage, type Built } from './built.js';

export const PageList = Type.Object({
  pages: Type.Array(
    Type.Object({
      plugin: Type.String({ description: 'The id of the plugin in the config.' }),
      prefix: Type.String({ description: 'Where the routes of the plugin are.' }),
      id: Type.String(),
      title: Type.String(),
      group: Type.String({ description: 'The heading in the navigation.' }),
      module: Type.String({ description: 'Address of the ES module, from the address of the console on.' }),
      css: Type.Array(Type.String()),
    }),
  ),
});
type ListedPage = Static<typeof PageList>['pages'][number];

const MANAGE = 'manage';

/** Anonymous callers get here only if management is open to everybody. */
export function pagesFor(
  principal: Principal,
  pages: readonly InstalledPage[],
  { auth, built }: { auth: Auth; built: Built },
): ListedPage[] {
  const sees = ({ scope }: InstalledPage): boolean =>
    principal.kind === 'anonymous' ||
    scope === null ||
    auth.allows(principal, scope) ||
    auth.allows(principal, MANAGE);
  return pages.filter(sees).map((page) => listed(page, built));
}

function listed(page: InstalledPage, built: Built): ListedPage {
  const { plugin, prefix, id, title, group } = page;
  const ours = builtPage(built, page.module);
  const below = (file: string): string =>
    `pages/${plugin}/${id}/${relative(dirname(page.module), file).replaceAll('\\', '/')}`;
  const { module, css } =
    ours === undefined ? { module: below(page.module), css: page.css.map(below) } : ours;
  return { plugin, prefix, id, title, group, module, css: [...css] };
}
