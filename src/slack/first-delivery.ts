import { createHash } from 'node:crypto';

import type { Surface } from './surface.ts';

/**
 * Whether a payload is seen for the first time. `parts` are what a redelivery repeats; only their hash is stored, since
 * people type all sorts of things. Where the store cannot tell, the ask goes on: a change then fails at its own step.
 */
export async function isFirst(surface: Surface, parts: readonly (string | undefined)[]): Promise<boolean> {
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  try {
    const first = await surface.executor.firstDelivery(key);
    if (!first) surface.log.info({ kind: parts[0] }, 'a redelivery was recognised');
    return first;
  } catch (error) {
    surface.log.warn({ err: error, kind: parts[0] }, 'the store cannot tell whether this is a redelivery');
    return true;
  }
}
