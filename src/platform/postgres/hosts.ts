/** Support for a database on several servers, one of which accepts writes. `pg` itself connects to a single server. */

const form =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/?]*@)?(?<hosts>[^/?]*)(?<path>\/[^?]*)?(?:\?(?<query>.*))?$/;

const attribute = 'target_session_attrs';

/** The values of `target_session_attrs` that mean: the server that accepts writes. */
const writing = new Set(['read-write', 'primary']);

/** What a `postgres://` URL says about servers. */
export interface ServerList {
  /** One URL for each server, in their order. */
  urls: string[];
  /** A server that accepts no writes is passed over. */
  mustWrite: boolean;
}

const listOf = (text: string | null): string[] => (text === null ? [] : text.split(','));

/** The n-th of a list; a list of one is for all. */
const nth = (list: readonly string[], index: number): string | undefined =>
  list.length === 1 ? list[0] : list[index];

/**
 * Splits a URL with several servers, as libpq has them: `postgres://user@one:5432,other:5432/name`, or
 * `?host=/one,/other&port=5432,5433`. Null: `target_session_attrs` has a value that no service can use, or the
 * lists of hosts and ports have different lengths.
 */
export function readServers(url: string): ServerList | null {
  const {
    scheme = '',
    user = '',
    hosts = '',
    path = '',
    query = '',
  } = form.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  const asked = parameters.get(attribute);
  if (asked !== null && !writing.has(asked)) return null;
  const [named, ports] = [listOf(parameters.get('host')), listOf(parameters.get('port'))];
  const inside = hosts.split(',');
  const count = Math.max(named.length, inside.length);
  const lists = [named, inside, ports];
  if (lists.some(({ length }) => length > 1 && length !== count)) return null;
  if (count === 1 && asked === null) return { urls: [url], mustWrite: false };
  parameters.delete(attribute);
  const urls = Array.from({ length: count }, (_, index) => {
    const own = new URLSearchParams(parameters);
    if (named.length > 0) own.set('host', nth(named, index)!);
    if (ports.length > 0) own.set('port', nth(ports, index)!);
    const rest = own.size > 0 ? `?${own.toString()}` : '';
    return `${scheme}${user}${nth(inside, index)}${path}${rest}`;
  });
  return { urls, mustWrite: true };
}

/** The servers of a pool, and which of them is tried next. */
export class Servers<Settings> {
  readonly mustWrite: boolean;
  readonly #all: readonly Settings[];
  #index = 0;

  constructor(all: readonly Settings[], mustWrite: boolean) {
    this.#all = all;
    this.mustWrite = mustWrite;
  }

  get count(): number {
    return this.#all.length;
  }

  get current(): Settings {
    return this.#all[this.#index]!;
  }

  /** The next one is tried from now on, unless another caller has already moved on. */
  failed(tried: Settings): void {
    if (tried === this.current) this.#index = (this.#index + 1) % this.count;
  }
}
