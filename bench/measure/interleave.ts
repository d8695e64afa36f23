import { reportProgress } from './progress.ts';

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** One of those compared: each call is a round and gives one figure, in the unit of the comparison. */
export type Contenders = Readonly<Record<string, (round: number) => number | Promise<number>>>;

/** The rounds of `interleave`, by contender. */
export interface Figures {
  /** The median of its rounds. */
  of(name: string): number;
  /** The median of the two side by side, round by round: steadier than a ratio of medians on a busy machine. */
  ratio(name: string, other: string): number;
}

/** On a machine too busy for all rounds in `enoughMs`, fewer will do, but not less than these. */
const leastRounds = 5;
const enoughMs = 30_000;

/**
 * Each contender once a round, in an order that turns about, so that a busy moment of the machine burdens all alike.
 * The first `warmUps` rounds are thrown away.
 */
export async function interleave(
  contenders: Contenders,
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<Figures> {
  const order = Object.entries(contenders);
  const figures = new Map(order.map(([name]): [string, number[]] => [name, []]));
  const began = performance.now();
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round >= warmUps + leastRounds && performance.now() - began > enoughMs) break;
    for (const [name, measure] of round % 2 === 0 ? order : order.toReversed()) {
      const figure = await measure(round);
      if (round >= warmUps) figures.get(name)?.push(figure);
    }
    reportProgress(round + 1, warmUps + rounds);
  }
  const all = (name: string): readonly number[] => figures.get(name) ?? [];
  return {
    of: (name) => median(all(name)),
    ratio: (name, other) =>
      median(all(name).map((figure, round) => figure / (all(other)[round] ?? Number.NaN))),
  };
}
