import type { Measure } from './comparison.ts';

type Load = () => Promise<{ readonly measure: Measure }>;

/** The rows of the bench, by name, in the order of the table. */
export const rows: Readonly<Record<string, Load>> = {
  ack: () => import('./rows/ack.ts'),
  growth: () => import('./rows/growth.ts'),
  latency: () => import('./rows/latency.ts'),
  click: () => import('./rows/click.ts'),
  'floating-ips': () => import('./rows/floating-ips.ts'),
  metrics: () => import('./rows/metrics.ts'),
  'cold-start': () => import('./rows/cold-start.ts'),
  memory: () => import('./rows/memory.ts'),
  audit: () => import('./rows/audit.ts'),
  sweeps: () => import('./rows/sweeps.ts'),
  steps: () => import('./rows/steps.ts'),
  replicas: () => import('./rows/replicas.ts'),
};
