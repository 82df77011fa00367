/** Pages that plugins add to the console. */

/** A page of a plugin, as `setup` returns it. */
export interface Page {
  /** The version of the console's contract with its pages. */
  readonly console: 1;
  /** Unique in its plugin: lower case letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  /** The heading of the navigation under which it stands: `Data`. */
  readonly group: string;
  /** Who sees it: those who hold this scope of the plugin's own, or `manage`; null for everybody who is logged in. */
  readonly scope: string | null;
  /**
   * The file of an ES module (`new URL('./console/page.js', import.meta.url)`), which exports `mount(element, context)`.
   * Files beside and below it are served too, so it can import them.
   */
  readonly module: URL | string;
  /** Style sheets that are loaded before `mount`; beside or below the module. */
  readonly css?: readonly (URL | string)[];
}

/** A page of a plugin that is up. */
export interface InstalledPage {
  /** The id of the plugin's instance. */
  readonly plugin: string;
  /** Where the routes of that instance stand: `/data`, or empty for the root. */
  readonly prefix: string;
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly scope: string | null;
  /** Absolute path of the file. */
  readonly module: string;
  /** Absolute paths. */
  readonly css: readonly string[];
}

export interface Pages {
  /** The pages of all plugins, in the order of their set-up. Complete from `start` on. */
  list(): readonly InstalledPage[];
}
