import { type Audience, type Site, sites } from './audience.ts';
import type { Counter } from './counters.ts';
import { eveningTotal, incidentTotal, visitTotal } from './traffic-over-time.ts';

/** Running totals of a site at each boundary of the intervals. */
interface Totals {
  readonly visits: readonly number[];
  readonly incidents: readonly number[];
  readonly evenings: readonly number[];
}

/** Counts what audiences cause in each interval. */
export type Count = (audiences: readonly Audience[], counters: readonly Counter[]) => number[];

const totalsAt = (site: Site, boundaries: readonly number[]): Totals => ({
  visits: boundaries.map((time) => visitTotal(site, time)),
  incidents: boundaries.map(incidentTotal),
  evenings: boundaries.map((time) => eveningTotal(site, time)),
});

const addUp = (sums: number[], totals: Totals, growth: ReturnType<Counter>): void => {
  const runningAt = (index: number): number =>
    Math.floor(
      growth.visits * (totals.visits[index] ?? 0) +
        growth.incidents * (totals.incidents[index] ?? 0) +
        growth.evenings * (totals.evenings[index] ?? 0),
    );
  let before = runningAt(0);
  for (let index = 0; index < sums.length; index += 1) {
    const after = runningAt(index + 1);
    sums[index] = (sums[index] ?? 0) + after - before;
    before = after;
  }
};

/**
 * Counts between boundaries (epoch seconds, ascending). Every count is an integer difference of running totals of
 * single audiences, so that sums over intervals and over groups agree exactly.
 */
export const countBetween = (boundaries: readonly number[]): Count => {
  const totals = new Map(sites.map((site) => [site, totalsAt(site, boundaries)] as const));
  return (audiences, counters) => {
    const sums = Array.from({ length: boundaries.length - 1 }, () => 0);
    for (const audience of audiences) {
      const ofSite = totals.get(audience.site);
      if (!ofSite) continue;
      for (const counter of counters) addUp(sums, ofSite, counter(audience));
    }
    return sums;
  };
};
