import type { Contender } from './contender.ts';
import { type Figures, interleave } from './interleave.ts';

export type Starts = Readonly<Record<string, () => Promise<Contender>>>;

export interface FleetOptions {
  /** How often all are restarted, because each process is compiled a little differently. */
  readonly generations: number;
  /** Measured rounds of each generation. */
  readonly rounds: number;
  /** Warm-up rounds of each generation. */
  readonly warmUps: number;
}

/** Runs contenders side by side, in fresh processes, interleaved. `measure` returns the figure of one round of one contender. */
export async function interleaveProcesses(
  starts: Starts,
  { generations, rounds, warmUps }: FleetOptions,
  measure: (contender: Contender, name: string) => Promise<number>,
): Promise<Figures> {
  const names = Object.keys(starts);
  let fleet = new Map<string, Contender>();
  const end = () => Promise.all([...fleet.values()].map((one) => one.end()));
  const renew = async (): Promise<void> => {
    await end();
    fleet = new Map(
      await Promise.all(
        Object.entries(starts).map(async ([name, start]): Promise<[string, Contender]> => [
          name,
          await start(),
        ]),
      ),
    );
    for (let round = 0; round < warmUps; round += 1) {
      for (const name of names) await figure(name);
    }
  };
  const figure = (name: string): Promise<number> => {
    const contender = fleet.get(name);
    if (!contender) throw new Error(`${name} has not started`);
    return measure(contender, name);
  };
  let generation = -1;
  const ofRound = async (name: string, round: number): Promise<number> => {
    if (Math.floor(round / rounds) > generation) {
      generation += 1;
      await renew();
    }
    return figure(name);
  };
  try {
    return await interleave(
      Object.fromEntries(names.map((name) => [name, (round: number) => ofRound(name, round)])),
      { rounds: generations * rounds, warmUps: 0 },
    );
  } finally {
    await end();
  }
}
