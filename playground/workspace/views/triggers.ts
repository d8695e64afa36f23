import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** A trigger's person, and the page where a modal would open. */
export interface TriggerOrigin {
  readonly user: string;
  readonly session: string;
  /** The conversation that the person was looking at. */
  readonly channel?: string | undefined;
  /** Set for a trigger from a modal: the only place to push onto. */
  readonly view_id?: string | undefined;
}
type TriggerError = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';
type Exchange =
  | { readonly ok: true; readonly origin: TriggerOrigin }
  | { readonly ok: false; readonly error: TriggerError };

/** trigger_ids: each opens one modal, within 3 seconds. */
export interface Triggers {
  issue(origin: TriggerOrigin): string;
  exchange(triggerId: string): Exchange;
}

const FORGOTTEN_AFTER_MS = 10 * 60_000;

export function createTriggers(clock: Clock, ids: Ids): Triggers {
  const issued = new Map<string, { origin: TriggerOrigin; at: number; used: boolean }>();
  return {
    issue(origin) {
      const now = clock.now();
      for (const [id, { at }] of issued) if (now - at > FORGOTTEN_AFTER_MS) issued.delete(id);
      const id = `${Math.floor(now)}.${issued.size}.${ids.secret()}`;
      issued.set(id, { origin, at: now, used: false });
      return id;
    },
    exchange(triggerId) {
      const trigger = issued.get(triggerId);
      if (trigger === undefined) return { ok: false, error: 'invalid_trigger_id' };
      if (trigger.used) return { ok: false, error: 'exchanged_trigger_id' };
      if (clock.now() - trigger.at > LIMITS.triggerMs) return { ok: false, error: 'expired_trigger_id' };
      trigger.used = true;
      return { ok: true, origin: trigger.origin };
    },
  };
}
