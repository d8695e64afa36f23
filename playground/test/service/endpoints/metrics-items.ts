import { expect } from 'vitest';
import { metricsResult } from '../../../service/schemas/metrics-result.ts';
import type { OpenService } from '../open-service.ts';

export const path = '/cdn/advanced/v1/metrics';
export const hour = { from: '2026-11-18T17:00:00Z', to: '2026-11-18T18:00:00Z' };

export type Item = Record<string, unknown> & { timestamp: number };

/** Asks a service, and takes only an answer with items. */
export const metricsOf =
  (call: OpenService['call']) =>
  async (query: object): Promise<Item[]> => {
    const { status, body } = await call('POST', path, { body: query });
    expect(status).toBe(200);
    return metricsResult.parse(body).data;
  };

export const sum = (items: readonly Item[], metric: string): number =>
  items.reduce((total, item) => total + Number(item[metric]), 0);
