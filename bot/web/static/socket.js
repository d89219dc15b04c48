// The connection to the server, which mends itself.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/** Sends requests and hands each reply to `hear`; `resume` takes the game up again. */
export class Link {
  constructor({ hear, resume, show }) {
    Object.assign(this, { hear, resume, show, wait: FIRST_WAIT });
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/play`);
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lost());
  }

  async receive(reply) {
    if (reply.type === "INIT") {
      this.wait = FIRST_WAIT;
      this.show(true);
      await this.hear(reply);
      this.resume();
    } else this.hear(reply);
  }

  /** Sends a request; whether there is a connection. */
  send(request) {
    const open = this.socket.readyState === WebSocket.OPEN;
    if (open) this.socket.send(JSON.stringify(request));
    return open;
  }

  lost() {
    this.show(false);
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }
}
