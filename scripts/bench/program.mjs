// A child process that answers requests: the bench program or a peer. A request is one line of words, its answer one line of
// JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Failure } from '../fail.mjs';

export class Program {
  #child;
  #answers;
  #last = '';

  constructor(name, command, args = [], { env = process.env, quiet = false } = {}) {
    this.name = name;
    this.#child = spawn(command, args, { env, stdio: ['pipe', 'pipe', quiet ? 'ignore' : 'inherit'] });
    this.#child.on('error', () => {}); // the answers end, which ask() reports
    this.#child.stdin.on('error', () => {});
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(request) {
    this.#last = request;
    this.#child.stdin.write(`${request}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Failure(`${this.name} ended at the request: ${this.#last}`);
    return JSON.parse(value);
  }

  end() {
    this.#child.stdin.end();
  }
}
