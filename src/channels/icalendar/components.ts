/** The components of a calendar, found even if its lines `BEGIN` and `END` do not pair up. */
import { problemOf, type Problem, type ReadProblem } from '../rules/problems.ts';
import type { ContentLine } from './content-lines.ts';
import { datedNames, isRead, parseProperty, type Property } from './properties.ts';

interface Calendar {
  /** The value of METHOD, which may follow the events. */
  method: string;
}

/** An event, a list of busy periods, or the definition of a time zone. */
export interface Component {
  name: 'VEVENT' | 'VFREEBUSY' | 'VTIMEZONE';
  /** The number of its line `BEGIN`. */
  line: number;
  /** Those that are read, or damaged. */
  properties: Property[];
  /** The lines of a definition as they are, with its parts. */
  lines: string[];
  calendar: Calendar;
  /** What is wrong with its lines. */
  faults: Problem[];
}

/** The components of a file, and what is wrong with it as a whole. */
export interface Components {
  components: Component[];
  problems: ReadProblem[];
  /** How many calendars the file has. */
  calendars: number;
}

interface Open {
  name: string;
  line: number;
  component: Component | null;
  calendar: Calendar;
  /** The name of the property before the current line. */
  lastName: string;
}

const kept = ['VEVENT', 'VFREEBUSY', 'VTIMEZONE'] as const;
const isKept = (name: string): name is Component['name'] =>
  (kept as readonly string[]).includes(name);

const boundary = /^(BEGIN|END)\s*(?:;[^:]*)?:\s*(.*)$/i;

const texts = /^(?:DESCRIPTION|SUMMARY|COMMENT|LOCATION|CONTACT|X-.*)$/;

/** Whether a line that is no property can be the rest of a text in which somebody has left a line break. */
function isRestOfText(line: string, before: string): boolean {
  if (!texts.test(before) || /\d{8}/.test(line)) return false;
  const word = /^[A-Z-]*/i.exec(line)![0].toUpperCase();
  return word === '' || !datedNames.some((name) => name.startsWith(word) || word.startsWith(name));
}

/** Follows the lines of a file. */
class Structure {
  readonly components: Component[] = [];
  readonly faults: ReadProblem[] = [];
  calendars = 0;
  readonly #stack: Open[] = [];

  #problem(line: number, problem: Problem): void {
    this.faults.push({ line, uid: null, ...problem });
  }

  #top(): Open | undefined {
    return this.#stack.at(-1);
  }

  /** The event, or other component that is kept, of the current line. */
  #current(): Component | null {
    return this.#top()?.component ?? null;
  }

  #begin(name: string, line: number): void {
    const open = this.#top();
    // An event within an event: the first one has lost its end.
    if (name === 'VEVENT' && open?.name === 'VEVENT') {
      this.#problem(open.line, problemOf('no_end', open.name));
      this.#stack.pop();
    }
    if (this.#stack.length === 0 && name !== 'VCALENDAR') this.#problem(line, problemOf('outside'));
    if (name === 'VCALENDAR') this.calendars += 1;
    const around = this.#current();
    const parent = this.#top();
    if (around?.name === 'VTIMEZONE') around.lines.push(`BEGIN:${name}`);
    const component = isKept(name) && parent ? this.#component(name, line, parent) : null;
    const inside = around?.name === 'VTIMEZONE' ? around : component;
    const calendar = name === 'VCALENDAR' || !parent ? { method: '' } : parent.calendar;
    this.#stack.push({ name, line, component: inside, calendar, lastName: '' });
  }

  #component(name: Component['name'], line: number, { calendar }: Open): Component {
    const component = {
      name,
      line,
      properties: [],
      lines: [],
      calendar,
      faults: [],
    };
    this.components.push(component);
    return component;
  }

  #end(name: string, line: number): void {
    const at = this.#stack.findLastIndex((open) => open.name === name);
    if (at === -1) return this.#problem(line, problemOf('no_begin', name));
    for (const open of this.#stack.splice(at + 1)) {
      this.#problem(open.line, problemOf('no_end', open.name));
    }
    this.#stack.pop();
    const around = this.#current();
    if (around?.name === 'VTIMEZONE') around.lines.push(`END:${name}`);
  }

  #property({ number, text }: ContentLine): void {
    const open = this.#top()!;
    const { component } = open;
    if (component?.name === 'VTIMEZONE') component.lines.push(text);
    const property = parseProperty(number, text);
    if (!property) return this.#stray(number, text, open);
    open.lastName = property.name;
    if (component && isRead(property.name)) component.properties.push(property);
    if (open.name !== 'VCALENDAR' || property.name !== 'METHOD') return;
    open.calendar.method = property.value.toUpperCase();
  }

  /** A line without name and value: it may have been one that matters. */
  #stray(line: number, text: string, { name, component, lastName }: Open): void {
    if (isRestOfText(text, lastName)) return;
    if (name === 'VCALENDAR') this.#problem(line, problemOf('stray_line'));
    else if (component && component.name !== 'VTIMEZONE') {
      component.faults.push(problemOf('stray_line'));
    }
  }

  add(line: ContentLine): void {
    const [, kind, value = ''] = boundary.exec(line.text) ?? [];
    const name = value.trim().toUpperCase();
    if (kind?.toUpperCase() === 'BEGIN') this.#begin(name, line.number);
    else if (kind) this.#end(name, line.number);
    else if (this.#stack.length === 0) this.#problem(line.number, problemOf('outside'));
    else this.#property(line);
  }

  /** At the end of the file. What is open is cut off, and is no component. */
  close(): void {
    const [first] = this.#stack;
    if (!first) return;
    this.#problem(first.line, problemOf('incomplete'));
    const cut = new Set(this.#stack.map(({ component }) => component));
    const complete = this.components.filter((component) => !cut.has(component));
    this.components.splice(0, Infinity, ...complete);
  }
}

/** Finds the components of a calendar. */
export function findComponents(lines: Iterable<ContentLine>): Components {
  const structure = new Structure();
  for (const line of lines) structure.add(line);
  structure.close();
  const { components, calendars, faults: problems } = structure;
  return { components, problems, calendars };
}
