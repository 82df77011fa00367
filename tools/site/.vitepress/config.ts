/**
 * The site is made of the files that a repository's reader sees, at the same paths: README.md, docs/, and the README
 * of each plugin. A dead link fails the build.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress';

const root = resolve(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string };

/** What fills a slot of the server; all other plugins are services. */
const PROVIDERS = ['auth', 'audit', 'directory', 'secrets'].map((name) => `plugins/${name}/README.md`);

const SECTIONS = [
  section('Start', ['README.md', 'docs/config.md', 'docs/security.md']),
  section(
    'Services',
    readmesIn('plugins').filter((file) => !PROVIDERS.includes(file)),
  ),
  section('Providers', [...PROVIDERS, ...readmesIn('plugins/storage')]),
  section('Operate', ['operating', 'versions', 'storage', 'stored-formats', 'faults'].map(inDocs)),
  section('Write a plugin', ['writing-a-plugin', 'plugin-parts', 'hooks', 'interceptors', 'kit'].map(inDocs)),
  section('Reference', ['errors', 'accounts-errors', 'benchmarks'].map(inDocs)),
  section('Contribute', [
    'CONTRIBUTING.md',
    'ARCHITECTURE.md',
    'docs/releasing.md',
    'CHANGELOG.md',
    'docs/decisions/README.md',
  ]),
];

export default defineConfig({
  srcDir: root,
  // The cache and the site itself are of this folder.
  cacheDir: resolve(import.meta.dirname, 'cache'),
  outDir: resolve(import.meta.dirname, '../dist'),
  // One folder a version: SITE_BASE=/0.1/
  base: process.env['SITE_BASE'] ?? '/',
  title: 'Plugboard',
  description: 'One configurable server for the back end of an AI application',
  srcExclude: ['{test,tools,dist,coverage,engines,node_modules}/**', 'docs/example-*/**'],
  rewrites: {
    'README.md': 'index.md',
    'plugins/:name/README.md': 'plugins/:name/index.md',
    'plugins/storage/:name/README.md': 'plugins/storage/:name/index.md',
    'docs/decisions/README.md': 'docs/decisions/index.md',
  },
  cleanUrls: true,
  markdown: { config: unlinkFiles },
  // The pages are outside this package, and what they import is inside; a package that the root has too is bundled.
  vite: {
    resolve: { alias: { vue: resolve(import.meta.dirname, '../node_modules/vue') } },
    ssr: { noExternal: ['entities'] },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Config', link: '/docs/config' },
      { text: 'Write a plugin', link: '/docs/writing-a-plugin' },
      { text: version, link: '/CHANGELOG' },
    ],
    sidebar: [...SECTIONS, section('More', othersOf(SECTIONS))],
  },
});

function section(text: string, files: readonly string[]): DefaultTheme.SidebarItem {
  const items = files.map((file) => ({
    text: titleOf(file),
    link: `/${file.replace(/README\.md$/, '').replace(/\.md$/, '')}`,
  }));
  return { text, items, collapsed: false };
}

/** Pages of docs/ that no section names. */
function othersOf(sections: readonly DefaultTheme.SidebarItem[]): string[] {
  const named = sections.flatMap(({ items = [] }) => items.map(({ link }) => `${link}.md`));
  return readdirSync(`${root}/docs`)
    .filter((file) => file.endsWith('.md') && !named.includes(`/docs/${file}`))
    .map((file) => `docs/${file}`);
}

function inDocs(name: string): string {
  return `docs/${name}.md`;
}

function readmesIn(folder: string): string[] {
  return readdirSync(`${root}/${folder}`)
    .map((name) => `${folder}/${name}/README.md`)
    .filter((file) => existsSync(`${root}/${file}`));
}

function titleOf(file: string): string {
  return /^# (.*)$/m.exec(readFileSync(`${root}/${file}`, 'utf8'))?.[1]?.replaceAll('`', '') ?? '';
}

/** What a page links to in the repository, such as a source file, is no page here: its name stays, the link goes. */
function unlinkFiles(md: MarkdownRenderer): void {
  md.core.ruler.push('unlink_files', ({ tokens }) => {
    for (const { children } of tokens) {
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isDropped = isFile(token.attrGet('href') ?? '');
        if (!isDropped || !token.type.startsWith('link_')) continue;
        if (token.type === 'link_close') isDropped = false;
        token.type = 'text';
        token.content = '';
      }
    }
  });
}

function isFile(href: string): boolean {
  if (/^([a-z]+:|#|\/)/.test(href)) return false;
  const [path = ''] = href.split('#');
  return !path.endsWith('.md') || path.includes('engines/');
}
