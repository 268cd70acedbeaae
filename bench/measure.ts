/** The results of one round. The figure is measured directly after the floor. */
export interface Round {
  floor: number;
  figure: number;
}

/** A measure with its targets. */
export interface Measure {
  name: string;
  title: string;
  unit: string;
  /** Whether more or less is better; the ratio is always figure / floor. */
  better: 'more' | 'less';
  good: number | null;
  aim: number | null;
  /** Runs only if it or its group is named, because it takes long. */
  group?: string;
  /** Runs the rounds; called once. */
  run(rounds: number, onRound: (round: Round) => void): Promise<void>;
}
