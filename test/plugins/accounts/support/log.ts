/** Keeps what a server logs. */
export class LogLines {
  text = '';

  write(line: string): void {
    this.text += line;
  }
}
