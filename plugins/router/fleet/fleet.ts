/** The upstreams of a server: the config's, and those added by API, which come and go at run time. */
import type { UpstreamSettings } from '../schema.js';
import type { UpstreamReport } from '../upstream/report.js';
import type { Upstream, UpstreamPolicies } from '../upstream/upstream.js';

export interface Member {
  readonly upstream: Upstream;
  readonly settings: UpstreamSettings;
  readonly source: 'config' | 'api';
}

interface Retired {
  readonly upstream: Upstream;
  readonly at: number;
}

type Carried = ConstructorParameters<typeof Upstream>[3];

/** Milliseconds in which a call that was given an upstream begins there. */
const LINGER = 60_000;

export class Fleet {
  readonly #policies: UpstreamPolicies;
  readonly #report: UpstreamReport;
  /** Trace headers for each request. */
  readonly #carried: Carried;
  readonly #configured: Member[] = [];
  #added = new Map<string, { readonly text: string; readonly member: Member }>();
  #retired: Retired[] = [];
  /** Called whenever upstreams were added or removed. */
  changed: (members: readonly Member[]) => void = () => {};

  constructor(policies: UpstreamPolicies, report: UpstreamReport, carried: Carried) {
    this.#policies = policies;
    this.#report = report;
    this.#carried = carried;
  }

  /** The config's first. */
  get members(): readonly Member[] {
    return [...this.#configured, ...Array.from(this.#added.values(), ({ member }) => member)];
  }

  get upstreams(): readonly Upstream[] {
    return this.members.map(({ upstream }) => upstream);
  }

  find(name: string): Member | undefined {
    return this.members.find(({ upstream }) => upstream.name === name);
  }

  async begin(configured: readonly UpstreamSettings[]): Promise<void> {
    for (const settings of configured) this.#configured.push(await this.#make(settings, 'config'));
  }

  /** Sets the upstreams besides the config's. An unchanged one keeps its connections and its health. */
  async follow(added: readonly UpstreamSettings[]): Promise<void> {
    const before = this.#added;
    const after: typeof before = new Map();
    for (const settings of added) {
      const { name } = settings;
      // The config may have taken the name since.
      if (this.#configured.some(({ upstream }) => upstream.name === name)) continue;
      const text = JSON.stringify(settings);
      const same = before.get(name);
      const kept = same?.text === text ? same : { text, member: await this.#make(settings, 'api') };
      after.set(name, kept);
    }
    const gone = [...before.values()].filter((one) => !([...after.values()] as unknown[]).includes(one));
    const isChanged = gone.length > 0 || after.size !== before.size;
    this.#added = after;
    await this.#retire(gone.map(({ member }) => member.upstream));
    if (isChanged) this.changed(this.members);
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    const all = [...this.upstreams, ...this.#retired.map(({ upstream }) => upstream)];
    await Promise.all(all.map((upstream) => upstream.close()));
  }

  async #make(settings: UpstreamSettings, source: Member['source']): Promise<Member> {
    // Its HTTP client is one of the largest packages, and a server without upstreams does not need it.
    const loaded = await import('../upstream/upstream.js');
    const upstream = new loaded.Upstream(settings, this.#policies, this.#report, this.#carried);
    return { upstream, settings, source };
  }

  /** Calls that run on them end by themselves. */
  async #retire(gone: readonly Upstream[]): Promise<void> {
    const now = performance.now();
    const isOver = ({ upstream, at }: Retired): boolean => now - at > LINGER && upstream.load.inFlight === 0;
    const over = this.#retired.filter(isOver);
    this.#retired = [
      ...this.#retired.filter((one) => !isOver(one)),
      ...gone.map((upstream) => ({ upstream, at: now })),
    ];
    await Promise.all(over.map(({ upstream }) => upstream.close()));
  }
}
