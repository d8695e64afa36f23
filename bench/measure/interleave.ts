import { reportProgress } from './progress.ts';

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** A compared program. Each call is a round and returns one figure, in the unit of the comparison. */
export type Contenders = Readonly<Record<string, (round: number) => number | Promise<number>>>;

/** The rounds of `interleave`, by contender. */
export interface Figures {
  /** The median of its rounds. */
  of(name: string): number;
  /** The median of the ratios of each round, which is steadier than a ratio of medians on a busy machine. */
  ratio(name: string, other: string): number;
}

/** The fewest rounds, for a machine too busy to run all of them in `enoughMs`. */
const leastRounds = 5;
const enoughMs = 30_000;

/**
 * Runs each contender once a round, in alternating order, so that a busy moment burdens all alike. Drops the first `warmUps`
 * rounds.
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
