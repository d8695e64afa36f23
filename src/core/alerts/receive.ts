import { entryOf } from '../audit/entries.ts';
import type { Rules } from '../context.ts';
import type { Ids } from '../model/ports.ts';
import { findContainer, findInstance } from '../model/inventory.ts';
import type { Hook } from '../model/hook.ts';
import type { Target } from '../model/target.ts';
import { BellhopError } from '../model/errors.ts';
import type { AlertUpdate } from './alert.ts';
import type { AlertChange, Alerts } from './alerts.ts';
import type { Fold } from './fold.ts';
import { targetsOf } from './targets.ts';

interface ReceiveContext extends Rules {
  readonly store: Pick<Alerts, 'foldAlerts'>;
  readonly ids: Pick<Ids, 'correlation'>;
}

/** Takes in what a hook tells of a group: durable, with its audit entry, once it resolves. @throws BellhopError `store-unavailable` */
export const receiveAlerts = (
  context: ReceiveContext,
  name: string,
  hook: Hook,
  update: AlertUpdate,
): Promise<Fold> =>
  context.store.foldAlerts({
    hook: name,
    channel: hook.channel,
    update,
    at: context.clock.now(),
    messageId: `a-${context.ids.correlation()}`,
    entry: (change) =>
      entryOf(context, change.event, {
        place: { team: context.ownTeam, channel: change.channel },
        target: targetIn(context, hook, change),
        note: noteOf(change),
      }),
  });

/** `grafana: InstanceDown (critical)` */
function noteOf({ hook, content: { title, severity }, storm }: AlertChange): string {
  if (storm !== undefined) return `${hook}: a storm of alerts, ${storm} so far, the last ${title}`;
  return `${hook}: ${title}${severity === undefined ? '' : ` (${severity})`}`;
}

/** Where the alert is about one target alone. */
function targetIn(
  context: ReceiveContext,
  { targetLabel }: Hook,
  { content, storm }: AlertChange,
): Target | undefined {
  const { inventory } = context.rulebook();
  const [target, ...others] = storm === undefined ? targetsOf(content.alerts, targetLabel, inventory) : [];
  if (!target || others.length > 0) return undefined;
  try {
    return (target.kind === 'instance' ? findInstance : findContainer)(inventory, target.name);
  } catch (error) {
    // Without a project and region it is no target of any command.
    if (error instanceof BellhopError) return undefined;
    throw error;
  }
}
