import { z } from 'zod';

import type { KnownOperation } from '../../src/config/rulebook/checks.ts';

/** Operations as the rules see them: names, risks and the fields of their inputs. */
export const knownOperations: readonly KnownOperation[] = [
  { name: 'cloud.ips', risk: 'read', input: z.object({}) },
  {
    name: 'cloud.reboot',
    risk: 'destructive',
    input: z.object({ instance: z.string(), reason: z.string() }),
  },
  { name: 'cloud.stop', risk: 'destructive', input: z.object({ instance: z.string(), reason: z.string() }) },
  {
    name: 'cdn.raw-logs',
    risk: 'change',
    input: z.object({ enabled: z.boolean(), s3_secret_key: z.string().meta({ secret: true }) }),
  },
  { name: 'storage.post', risk: 'change', input: z.object({ kind: z.string(), bytes: z.number() }) },
];
