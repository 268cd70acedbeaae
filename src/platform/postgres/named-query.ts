/**
 * A named statement for the driver, which asks PostgreSQL for its columns once per connection: they cannot change
 * before it is prepared again, and to describe them each time takes both sides as long as a short row.
 */
import pg from 'pg';

/** Receives the rows of a statement, or why there are none. */
export type Answered = (error: Error | null | undefined, rows: readonly object[]) => void;

/** How the columns of a connection are parsed. */
type Types = Pick<pg.ClientBase, 'getTypeParser'>;

type Value = string | Buffer | null;

interface Column {
  name: string;
  parse(text: string): unknown;
}

interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}

/** What the driver offers of a connection to a query that it submits. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  /** The texts of the statements that are prepared, by their names. */
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(bound: { statement: string; values: readonly Value[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(portal: object): void;
  sync(): void;
}

interface Columns {
  all: readonly Column[];
  /** A row with all members, so that rows have one shape. */
  empty: Readonly<Record<string, null>>;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): Value } })
  .utils;

const columnsOf = new WeakMap<Wire, Map<string, Columns>>();

/** Runs once. The driver calls its methods. */
export class NamedQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly callback: Answered;
  readonly #types: Types;
  readonly #values: readonly Value[];
  readonly #rows: object[] = [];
  #known: Map<string, Columns> | undefined;
  #columns: Columns | undefined;

  constructor(
    { name, text, values }: { name: string; text: string; values: readonly unknown[] },
    types: Types,
    answered: Answered,
  ) {
    this.name = name;
    this.text = text;
    this.callback = answered;
    this.#types = types;
    this.#values = values.map((value) => prepareValue(value));
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    const isPrepared = wire.parsedStatements[this.name] !== undefined;
    this.#known = columnsOf.getOrInsertComputed(wire, () => new Map());
    this.#columns = isPrepared ? this.#known.get(this.name) : undefined;
    // Else each message is a packet of its own.
    wire.stream.cork();
    if (!isPrepared) wire.parse({ name: this.name, text: this.text });
    wire.bind({ statement: this.name, values: this.#values });
    if (!this.#columns) wire.describe({ type: 'P', name: '' });
    wire.execute({});
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: RowDescription): void {
    const all = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, 'text'),
    }));
    this.#columns = { all, empty: Object.fromEntries(all.map(({ name }) => [name, null])) };
    this.#known?.set(this.name, this.#columns);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { all, empty } = this.#columns!;
    const row: Record<string, unknown> = { ...empty };
    for (let at = 0; at < all.length; at += 1) {
      const text = fields[at]!;
      if (text !== null) row[all[at]!.name] = all[at]!.parse(text);
    }
    this.#rows.push(row);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows);
  }

  // Nothing to do: all rows are read at once, and how many were written is in them.
  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}
}
