/** How busy and how fast something is that takes calls: what the balancing strategies go by. */
export class Load {
  inFlight = 0;
  calls = 0;
  failures = 0;
  /** Milliseconds until the answer began, exponentially weighted; null before the first one. */
  latency: number | null = null;

  begin(): void {
    this.inFlight += 1;
    this.calls += 1;
  }

  end(): void {
    this.inFlight -= 1;
  }

  answered(milliseconds: number): void {
    this.latency = this.latency === null ? milliseconds : this.latency * 0.8 + milliseconds * 0.2;
  }
}
