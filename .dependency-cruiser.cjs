/** Who may import what; see ARCHITECTURE.md. `tools/check-architecture.ts` runs it and guards that it saw the modules. */
/** What browsers load. */
const BROWSER = '^plugins/([^/]+/console|console/client)/';

module.exports = {
  forbidden: [
    {
      name: 'kernel-knows-no-plugin',
      comment: 'the kernel imports nothing of plugins, tests and tools',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: '^(plugins|test|tools)/' },
    },
    {
      name: 'sdk-is-pure',
      comment: 'the SDK imports nothing else of the kernel',
      severity: 'error',
      from: { path: '^kernel/sdk/' },
      to: { path: '^kernel/(?!sdk/)' },
    },
    {
      name: 'plugins-import-only-the-sdk',
      comment: 'a built-in plugin has no privileges: plugboard/sdk and nothing else of the kernel',
      severity: 'error',
      from: { path: '^plugins/[^/]+/' },
      to: { path: '^(kernel/(?!sdk/index\\.ts$)|test/|tools/|config/)' },
    },
    {
      name: 'plugins-do-not-meet',
      comment: 'a plugin imports no other plugin; they meet at tokens',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/' },
      to: { path: '^plugins/(?!$1/)', pathNot: '^plugins/console/client/kit/index\\.ts$' },
    },
    {
      name: 'engine-is-the-ground-floor',
      comment: 'the engine of a plugin knows neither its front nor the plugin on top, which speak HTTP',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/engine/' },
      to: { path: '^plugins/$1/(?!engine/)' },
    },
    {
      name: 'front-imports-downwards',
      comment: 'the front of a plugin knows its engine, and not the plugin on top',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/front/' },
      to: { path: '^plugins/$1/(?!engine/|front/)' },
    },
    {
      name: 'pages-of-lmdb-have-a-face',
      comment: 'only lmdb/pages knows how lmdb lays out its file; the rest of the store asks data-file.ts',
      severity: 'error',
      from: { path: '^plugins/', pathNot: '/lmdb/pages/' },
      to: { path: '/lmdb/pages/', pathNot: '/lmdb/pages/data-file\\.ts$' },
    },
    {
      name: 'tsyringe-in-one-place',
      comment:
        'only kernel/boot/services.ts knows the container library, and tests that stand for a plugin that uses it',
      severity: 'error',
      from: {
        pathNot: '^(kernel/boot/services\\.ts|dist/test/(kernel/boot/container|docs/[^/]+)\\.test\\.js)$',
      },
      to: { path: '(^|/)node_modules/(tsyringe|reflect-metadata)/' },
    },
    {
      name: 'plugin-tests-import-the-public-face',
      comment: "a plugin's tests use plugboard/testing, plugboard/sdk and that plugin's files",
      severity: 'error',
      // Tests are read as compiled: the parser does not know `await using`.
      from: { path: '^dist/test/plugins/([^/]+)/' },
      to: { path: '^dist/(kernel/(?!sdk/index\\.)|plugins/(?!$1/))' },
    },
    {
      name: 'pages-import-the-kit',
      comment: 'a page that browsers load is packages, plugboard/console and files of its own folder',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/console/' },
      to: { path: '^(kernel|plugins)/', pathNot: '^plugins/($1/console/|console/client/kit/index\\.ts$)' },
    },
    {
      name: 'servers-load-no-page',
      comment: 'what browsers load is made by the build',
      severity: 'error',
      from: { path: '^(kernel|plugins|tools)/', pathNot: BROWSER },
      to: { path: BROWSER },
    },
    {
      name: 'no-dev-dependency',
      comment: 'a production install has none of them; what browsers load is built before',
      severity: 'error',
      from: { path: '^(kernel|plugins)/', pathNot: BROWSER },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(coverage|tools/bench|test)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js'],
      alias: { 'plugboard/console': `${__dirname}/plugins/console/client/kit/index.ts` },
    },
  },
};
