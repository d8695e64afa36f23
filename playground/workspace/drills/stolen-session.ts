import type { StolenSessionDrill } from '../drill-protocol.ts';

/** The person whose Slack session is stolen, and a colleague's request that the thief can approve. */
export interface StolenSessionSettings {
  readonly victim: string;
  readonly asker: string;
  readonly channel: string;
  /** As typed. */
  readonly command: string;
}

/** Clicks that a person never made. */
export interface StolenSession {
  readonly settings: StolenSessionSettings | undefined;
  readonly current: StolenSessionDrill;
  set(drill: Omit<StolenSessionDrill, 'available'>): void;
}

/** @param announce called after every change */
export function createStolenSession(
  settings: StolenSessionSettings | undefined,
  announce: () => void,
): StolenSession {
  const available = settings !== undefined;
  let current: StolenSessionDrill = { available, running: false, clicks: 0, result: '' };
  return {
    settings,
    get current() {
      return current;
    },
    set(drill) {
      current = { available, ...drill };
      announce();
    },
  };
}
