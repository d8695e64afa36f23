import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The time of an event, in Unix seconds. */
export class Moment<L extends string> extends Gauge<L> {}

/** Declares metrics. Labels have few values. A label is never an id, or anything that people type. */
export const declareIn = (registers: Registry[]) => ({
  gauge: <L extends string>(name: string, labelNames: readonly L[], help: string) =>
    new Gauge<L>({ name, help, labelNames, registers }),
  moment: <L extends string>(name: string, labelNames: readonly L[], help: string) =>
    new Moment<L>({ name, help, labelNames, registers }),
  counter: <L extends string>(name: string, labelNames: readonly L[], help: string) =>
    new Counter<L>({ name, help, labelNames, registers }),
  histogram: <L extends string>(name: string, labelNames: readonly L[], help: string, buckets: number[]) =>
    new Histogram<L>({ name, help, labelNames, buckets, registers }),
});

export type Declare = ReturnType<typeof declareIn>;

/** The machine's clock may be set back during a measurement, so a negative duration counts as 0. */
export const seconds = (ms: number): number => Math.max(0, ms) / 1000;
