import type { Measure } from './comparison.ts';

type Load = () => Promise<{ readonly measure: Measure }>;

/** The rows of the bench, by name, in the order of the table. */
export const rows: Readonly<Record<string, Load>> = {
  latency: () => import('./rows/latency.ts'),
  'agent-flood': () => import('./rows/agent-flood.ts'),
  alerts: () => import('./rows/alerts.ts'),
  'alert-facts': () => import('./rows/alert-facts.ts'),
  click: () => import('./rows/click.ts'),
  'cold-start': () => import('./rows/cold-start.ts'),
  memory: () => import('./rows/memory.ts'),
  ack: () => import('./rows/ack.ts'),
  'ack-warm': async () => ({ measure: (await import('./rows/ack.ts')).measureWarm }),
  'floating-ips': () => import('./rows/floating-ips.ts'),
  metrics: () => import('./rows/metrics.ts'),
  audit: () => import('./rows/audit.ts'),
  sweeps: () => import('./rows/sweeps.ts'),
  steps: () => import('./rows/steps.ts'),
  'own-operations': () => import('./rows/own-operations.ts'),
  'operation-cpu': () => import('./rows/operation-cpu.ts'),
  statements: () => import('./rows/statements.ts'),
  idle: () => import('./rows/idle.ts'),
  replicas: () => import('./rows/replicas.ts'),
};
