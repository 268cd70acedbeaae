import { styleText } from 'node:util';
import { hidden, inline, lines } from './format.ts';
import type { Answer, BodyOf, Partner, Request } from './partner.ts';
import type { OperationId } from '../contract/partner/operations.ts';

/** What of an answer is worth showing: a member and its value. */
export type Row = readonly [member: string, value: string];

/** Where the story goes. */
export interface Terminal {
  write(text: string): void;
  coloured: boolean;
}

type Style = Parameters<typeof styleText>[0];

const width = 92;
const margin = '    ';
const betweenMembers = /(?<=[,{]) /;

/** Tells the story: parts, numbered steps, calls and what came back. */
export class Narrator {
  readonly #terminal: Terminal;
  readonly #told = new Set<string>();
  #step = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A new part of the story. */
  part(title: string, text: string): void {
    this.#line();
    this.#line(
      this.#styled(['bold', 'cyan'], `== ${title} ${'='.repeat(width - title.length - 4)}`),
    );
    this.#paragraph(text, '');
  }

  /** A step, and why it is made; what was said before is not said again. */
  step(title: string, why: string): void {
    this.#step += 1;
    this.#line();
    this.#line(this.#styled('bold', `${String(this.#step).padStart(2)}. ${title}`));
    if (!this.#told.has(why)) this.#paragraph(why, margin);
    this.#told.add(why);
  }

  /** A remark between two steps. */
  note(text: string): void {
    this.#paragraph(text, margin);
  }

  /** Makes a call, showing what goes out before, and of what comes back the rows. */
  async call<Id extends OperationId>(
    partner: Partner,
    request: Request,
    rowsOf: (body: BodyOf<Id>, answer: Answer<BodyOf<Id>>) => readonly Row[],
  ): Promise<BodyOf<Id>> {
    this.request(request);
    const answer = await partner.call<Id>(request);
    this.answer(answer.status, rowsOf(answer.body, answer));
    return answer.body;
  }

  /** What goes out; `more`: lines beside the body, secrets hidden. */
  request({ method, path, session, body }: Request, more: readonly string[] = []): void {
    this.#line(`${margin}${this.#styled('yellow', `> ${method} ${path}`)}`);
    for (const line of more) this.#detail(line);
    if (session !== undefined) this.#detail(`Session-Capability: ${hidden(session)}`);
    if (body) for (const line of lines(inline(body), width - 6, betweenMembers)) this.#detail(line);
  }

  /** What came back. */
  answer(status: number, rows: readonly Row[]): void {
    this.#line(`${margin}${this.#styled('green', `< ${status}`)}`);
    const longest = Math.max(...rows.map(([member]) => member.length));
    for (const [member, value] of rows) {
      this.#detail(`${this.#styled('dim', member.padEnd(longest))}  ${value}`);
    }
  }

  #detail(text: string): void {
    this.#line(`${margin}  ${text}`);
  }

  #paragraph(text: string, indent: string): void {
    for (const line of lines(text, width - indent.length)) this.#line(`${indent}${line}`);
  }

  #styled(style: Style, text: string): string {
    return this.#terminal.coloured ? styleText(style, text, { validateStream: false }) : text;
  }

  #line(text = ''): void {
    this.#terminal.write(`${text}\n`);
  }
}
