import type { SlackDrills } from '../drill-protocol.ts';

const OFF: SlackDrills = {
  redeliver: 0,
  lose_ack: 0,
  dispatch_delay_ms: 0,
  rate_limit: [],
  web_api_down: false,
  withheld: [],
};

/** The drills that make Slack itself misbehave. */
export interface DrillBoard {
  readonly current: SlackDrills;
  set(drills: { [Key in keyof SlackDrills]?: SlackDrills[Key] | undefined }): void;
  clear(): void;
  /** How often the current payload is delivered again. Reading it turns the drill off. */
  takeRedeliveries(): number;
  /** Whether the current payload's ack is to be lost. */
  takeLostAck(): boolean;
}

/** @param announce called after every change */
export function createDrillBoard(announce: () => void): DrillBoard {
  let current = OFF;
  function change(drills: SlackDrills): void {
    current = drills;
    announce();
  }
  return {
    get current() {
      return current;
    },
    set(drills) {
      const given = Object.entries(drills).filter(([, value]) => value !== undefined);
      change({ ...current, ...Object.fromEntries(given) });
    },
    clear: () => change(OFF),
    takeRedeliveries() {
      const { redeliver } = current;
      if (redeliver > 0) change({ ...current, redeliver: 0 });
      return redeliver;
    },
    takeLostAck() {
      const lost = current.lose_ack > 0;
      if (lost) change({ ...current, lose_ack: current.lose_ack - 1 });
      return lost;
    },
  };
}
