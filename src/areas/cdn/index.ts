import type { Area } from '../../host/area.ts';
import { capacity } from './capacity.ts';
import { metrics } from './metrics.ts';
import { purge } from './purge.ts';
import { purges } from './purges.ts';
import { rawLogs } from './raw-logs.ts';
import { cdnCalls } from './client/calls.ts';

export const cdn = {
  name: 'cdn',
  calls: cdnCalls,
  operations: [metrics, capacity, rawLogs, purge, purges],
} satisfies Area;
