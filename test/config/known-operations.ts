import { z } from 'zod';

import type { KnownOperation } from '../../src/config/rulebook-checks.ts';

/** Operations as the rules see them: names and the fields of their inputs. */
export const knownOperations: readonly KnownOperation[] = [
  { name: 'cloud.reboot', input: z.object({ instance: z.string(), reason: z.string() }) },
  { name: 'cloud.stop', input: z.object({ instance: z.string(), reason: z.string() }) },
  { name: 'cdn.raw-logs', input: z.object({ enabled: z.boolean() }) },
  { name: 'storage.post', input: z.object({ kind: z.string(), bytes: z.number() }) },
];
