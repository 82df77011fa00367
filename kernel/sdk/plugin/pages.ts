/** Pages that plugins add to the console. */

/** A page of a plugin, as `setup` returns it. */
export interface Page {
  /** The version of the console's contract with its pages. */
  readonly console: 1;
  /** Unique in its plugin: lower case letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  /** Its heading in the navigation: `Data`. */
  readonly group: string;
  /** Who sees it: holders of this scope, which the plugin declares, or of `manage`; null for everyone logged in. */
  readonly scope: string | null;
  /**
   * The file of an ES module (`new URL('./console/page.js', import.meta.url)`), which exports `mount(element,
   * context)`. Files in its folder and below are served too, so it can import them.
   */
  readonly module: URL | string;
  /** Style sheets to load before `mount`, in the module's folder or below. */
  readonly css?: readonly (URL | string)[];
}

/** A page of a plugin that is up. */
export interface InstalledPage {
  /** The id of the plugin's instance. */
  readonly plugin: string;
  /** The prefix of that instance's routes: `/data`, or empty for the root. */
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
  /** The pages of all plugins, in set-up order. Complete from `start` on. */
  list(): readonly InstalledPage[];
}
