import { styleText } from 'node:util';
import { hidden, inline, lines } from './format.ts';
import { type AnyInput, pathOf, rowOf } from '../../packages/partner/src/client/operation.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { BodyOf, Partner, PartnerInput, PartnerResponse } from './partner.ts';

/** A shown member of a response and its value. */
export type Row = readonly [member: string, value: string];

/** The output of the demo. */
export interface Terminal {
  write(text: string): void;
  coloured: boolean;
}

type Style = Parameters<typeof styleText>[0];

const width = 92;
const margin = '    ';
const betweenMembers = /(?<=[,{]) /;

/** Prints parts, numbered steps, requests and responses. */
export class Narrator {
  readonly #terminal: Terminal;
  readonly #shown = new Set<string>();
  #step = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Begins a new part. */
  part(title: string, text: string): void {
    this.#line();
    this.#line(
      this.#styled(['bold', 'cyan'], `== ${title} ${'='.repeat(width - title.length - 4)}`),
    );
    this.#paragraph(text, '');
  }

  /** Prints a step and its explanation; an explanation is printed only once. */
  step(title: string, why: string): void {
    this.#step += 1;
    this.#line();
    this.#line(this.#styled('bold', `${String(this.#step).padStart(2)}. ${title}`));
    if (!this.#shown.has(why)) this.#paragraph(why, margin);
    this.#shown.add(why);
  }

  /** Prints a note between two steps. */
  note(text: string): void {
    this.#paragraph(text, margin);
  }

  /** Prints an address on a line of its own, however long it is. */
  address(url: string): void {
    this.#line();
    this.#line(url);
    this.#line();
  }

  /** Makes a call and prints the request and the selected rows of the response. */
  async call<Id extends OperationId>(
    partner: Partner,
    id: Id,
    input: PartnerInput<Id>,
    rowsOf: (body: BodyOf<Id>, response: PartnerResponse<BodyOf<Id>>) => readonly Row[],
  ): Promise<BodyOf<Id>> {
    const { method } = rowOf(id);
    const { session, body, ...place } = input as AnyInput & { session?: string };
    const capability = session === undefined ? [] : [`Session-Capability: ${hidden(session)}`];
    this.request(`${method} ${pathOf(id, place)}`, capability, body);
    const response = await partner.call(id, input);
    this.response(response.status, rowsOf(response.body, response));
    return response.body;
  }

  /** Prints a request: its head, further lines with secrets hidden, and its body. */
  request(head: string, more: readonly string[], body?: object): void {
    this.#line(`${margin}${this.#styled('yellow', `> ${head}`)}`);
    for (const line of more) this.#detail(line);
    if (body) for (const line of lines(inline(body), width - 6, betweenMembers)) this.#detail(line);
  }

  /** Prints a response. */
  response(status: number, rows: readonly Row[]): void {
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
