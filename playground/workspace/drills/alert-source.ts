import type { Clock } from '../clock.ts';
import type { AlertDrill } from '../drill-protocol.ts';
import { createAlertNotifier, type AlertGroup, type AlertHook } from './alert-notifier.ts';
import { ALERT_NAMES, groupKeyOf, type AlertName, type FiredAlert } from './alertmanager-payload.ts';
import type { WireLog } from './wire-log.ts';

/** Fires alerts at the app's webhook, each in a group of its own. */
export interface AlertSource {
  readonly current: AlertDrill;
  /** Fires an alert. Resolves to the problem of the first attempt, "" if there was none. */
  fire(alertname: AlertName, instance: string): Promise<string>;
  /** Resolves an alert. Does nothing if it is not firing. */
  resolve(alertname: AlertName, instance: string): Promise<string>;
  /** Fires very many alerts at once, or resolves them. */
  storm(status: 'firing' | 'resolved'): void;
  close(): void;
}

const STORM_ALERTS = 2_500;
/** How often the page gets a storm's progress. */
const SHOWN_EVERY = 250;

interface AlertSourceParts {
  readonly hook: AlertHook | undefined;
  /** The instances that alerts can be about. */
  readonly instances: readonly string[];
  readonly clock: Clock;
  readonly wire: WireLog;
  /** Called after every change; during a storm, from time to time. */
  readonly announce: () => void;
}

export function createAlertSource({ hook, instances, clock, wire, announce }: AlertSourceParts): AlertSource {
  let attempts = 0;
  const changed = ({ isStorm }: AlertGroup) => {
    attempts += 1;
    if (!isStorm || attempts % SHOWN_EVERY === 0 || notifier.waiting() === 0) announce();
  };
  const notifier = createAlertNotifier({ hook: hook ?? { url: '', secret: '' }, clock, wire, changed });

  /** The alert as a firing one, since its start or since now. */
  function firing(alertname: AlertName, instance: string): FiredAlert {
    const now: FiredAlert = { alertname, instance, startsAt: clock.now(), endsAt: undefined };
    const known = notifier.groups.get(groupKeyOf(now))?.alert;
    return known?.endsAt === undefined ? { ...now, startsAt: known?.startsAt ?? now.startsAt } : now;
  }
  async function tell(alert: FiredAlert): Promise<string> {
    const group = notifier.set(alert, false);
    await notifier.send(group);
    return group.problem;
  }
  return {
    get current() {
      return {
        available: hook !== undefined,
        names: [...ALERT_NAMES],
        instances: [...instances],
        firing: shownAlerts(notifier.groups),
        storm: stormOf(notifier.groups),
      };
    },
    fire: (alertname, instance) => tell(firing(alertname, instance)),
    async resolve(alertname, instance) {
      const alert = firing(alertname, instance);
      if (!notifier.groups.has(groupKeyOf(alert))) return '';
      return tell({ ...alert, endsAt: clock.now() });
    },
    storm(status) {
      for (let number = 1; number <= STORM_ALERTS; number += 1) {
        const node = `node-${String(number).padStart(4, '0')}.example.com:9100`;
        const alert = firing('InstanceDown', node);
        if (status === 'firing') notifier.set(alert, true);
        else if (notifier.groups.has(groupKeyOf(alert)))
          notifier.set({ ...alert, endsAt: clock.now() }, true);
      }
      announce();
      notifier.flush();
    },
    close: () => notifier.close(),
  };
}

type Groups = ReadonlyMap<string, AlertGroup>;

function shownAlerts(groups: Groups): AlertDrill['firing'] {
  return [...groups.values()]
    .filter(({ isStorm }) => !isStorm)
    .map(({ alert: { alertname, instance, endsAt }, problem }) => ({
      alertname,
      instance,
      resolved: endsAt !== undefined,
      problem,
    }));
}

function stormOf(groups: Groups): AlertDrill['storm'] {
  const storm = [...groups.values()].filter(({ isStorm }) => isStorm);
  return {
    total: storm.length,
    waiting: storm.filter(({ settled }) => !settled).length,
    refused: storm.filter(({ settled, problem }) => settled && problem !== '').length,
  };
}
