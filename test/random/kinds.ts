/** The random runs: what each plays, and how much of it unless a number is given. */
/** A kind of random runs. */
export interface Kind {
  about: string;
  /** The program and its options for a seed and a number. */
  command(seed: number, count: number): readonly string[];
  /** What is counted. */
  unit: string;
  /** The number of a run of all kinds, about a minute each. */
  count: number;
  /** The number after which a planted defect must have been found. */
  canaryCount: number;
}

const counted =
  (program: string, flag: string, ...others: readonly string[]): Kind['command'] =>
  (seed, count) => [program, `--${flag}`, String(count), '--seed', String(seed), ...others];

/** All kinds, by name. */
export const kinds: Readonly<Record<string, Kind>> = {
  model: {
    about: 'sessions of concurrent calls, compared with a model of the contract',
    command: counted('test/model/main.ts', 'seeds'),
    unit: 'sessions',
    count: 20,
    canaryCount: 40,
  },
  payments: {
    about: 'bookings by card with everything that can fail between two steps',
    command: counted('test/payments/simulation/main.ts', 'seeds'),
    unit: 'seeds',
    count: 200,
    canaryCount: 400,
  },
  prices: {
    about: 'prices of random homes, compared with a second implementation',
    command: counted('test/golden/main.ts', 'stays'),
    unit: 'stays',
    count: 20_000,
    canaryCount: 1_000,
  },
  channels: {
    about: 'homes that other channels sell as well: how many nights are sold twice',
    command: counted('test/channels/simulation/main.ts', 'attempts'),
    unit: 'attempts',
    count: 100_000,
    canaryCount: 100_000,
  },
  fuzz: {
    about: 'any bytes: no 5xx, every response valid',
    command: counted('test/fuzz/main.ts', 'seconds'),
    unit: 'seconds',
    count: 60,
    canaryCount: 30,
  },
  faults: {
    about: 'kills, cuts, full disks and clocks under load',
    command: counted('test/faults/main.ts', 'seconds', '--sales', '0'),
    unit: 'seconds',
    count: 60,
    canaryCount: 1,
  },
  properties: {
    about: 'the properties of the unit tests, with other values',
    command: counted('test/random/properties/main.ts', 'seeds'),
    unit: 'seeds',
    count: 1,
    canaryCount: 1,
  },
};
