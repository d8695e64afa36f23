import { entryOf } from '../../../audit/entries.ts';
import type { OwnEvent } from '../../../model/audit-event.ts';
import type { DueDraft, DueKind, Handler } from '../../../model/records/due.ts';
import type { AuditDraft } from '../../../model/records/audit.ts';
import type { Ids, Rules } from '../../../model/ports.ts';
import { findNamed } from '../../../command/inventory.ts';
import { type Hook, hooksSection } from './section.ts';
import type { Target } from '../../../model/rulebook/target.ts';
import { rescue } from '../../../model/values/errors.ts';
import type {
  Fold,
  FoldedGroup,
  KnownGroup,
  OfferChange,
  OfferContent,
  Offers,
} from '../../../model/records/offer.ts';
import { type AlertContent, alertContent, type AlertUpdate, heldUpdate, readAlert } from './record.ts';
import { alertFiring, alertResolved } from './events.ts';
import { groupDue, heldKind, readsKind, turnedKind } from './group-due.ts';
import { type FoldedAlerts, foldGroup } from './fold.ts';
import { rankOf } from './severity.ts';
import { targetNamed } from '../../../command/targets.ts';
import { someNames } from '../../../text/words.ts';

export interface ReceiveContext extends Pick<Rules, 'rulebook' | 'clock' | 'ownTeam'> {
  readonly store: Pick<Offers, 'foldOffer'>;
  readonly ids: Pick<Ids, 'correlation'>;
}

/** Durable together with its audit entries. @throws BellhopError `store-unavailable` */
export async function receiveAlerts(
  context: ReceiveContext,
  name: string,
  hook: Hook,
  update: AlertUpdate,
  wasHeld = false,
): Promise<Fold> {
  const at = context.clock.now();
  return context.store.foldOffer({
    source: name,
    channel: hook.channel,
    update,
    at,
    messageId: `a-${context.ids.correlation()}`,
    fold(known, recent) {
      const folded = foldGroup(update, known, recent, at, wasHeld);
      const kinds = folded.fold.kind === 'nothing' ? [] : dueKinds(hook, known, folded);
      return {
        ...folded,
        due: [...kinds.map((kind) => groupDue(kind, name, update.key, at)), ...heldDue(name, update, folded)],
      };
    },
    entries: (change) => entriesOf(context, name, change),
  });
}

export const createHeldHandler = (context: ReceiveContext): Handler => ({
  kind: heldKind,
  atOnce: 5,
  trouble: 'an alert that was held back could not be received',
  giveUpAfterMs: 24 * 60 * 60_000,
  async handle({ about }) {
    const { source, update } = heldUpdate.parse(about);
    const hook = hooksSection.of(context.rulebook())[source];
    if (hook) await receiveAlerts(context, source, hook, update, true);
    return { done: true };
  },
});

function heldDue(
  source: string,
  { named, ...update }: AlertUpdate,
  { heldUntil }: FoldedAlerts,
): readonly DueDraft[] {
  if (heldUntil === undefined || !named) return [];
  const about = { source, update: { ...update, named: { ...named, ids: [...named.ids] } } };
  return [{ ...groupDue(heldKind, source, update.key, heldUntil), about }];
}

function dueKinds(
  hook: Hook,
  known: KnownGroup | undefined,
  { fold, update }: FoldedGroup,
): readonly DueKind[] {
  const wasFiring = known?.status === 'firing';
  const was = wasFiring ? targetsIn(known.content) : [];
  const begins =
    known?.status === 'resolved' || targetsIn(update.content).some((target) => !was.includes(target));
  const ends = wasFiring && (!known.storm || was.length > 0);
  const isNew = fold.kind === 'open' && fold.in === 'message' && !wasFiring;
  return [
    ...(isNew && hook.reads.length > 0 ? [readsKind] : []),
    ...((update.status === 'firing' ? begins : ends) ? [turnedKind] : []),
  ];
}

const targetsIn = (content: OfferContent | undefined): readonly string[] => readAlert(content)?.targets ?? [];

function entriesOf(context: ReceiveContext, name: string, change: OfferChange): readonly AuditDraft[] {
  const content = alertContent.parse(change.update.content);
  const { title, severity, on = [] } = content;
  return eventsOf(change, content).map(({ event, target, stormOf }) => {
    const names = target ?? someNames(on);
    const what = `${title}${names === '' ? '' : ` on ${names}`}`;
    const note =
      stormOf === undefined
        ? `${what}${severity === undefined ? '' : ` (${severity})`}`
        : `alert storm, ${stormOf} groups so far, most recently ${what}`;
    return entryOf(context, event.name, {
      place: { team: context.ownTeam, channel: change.channel },
      target: target === undefined ? undefined : commandTarget(context, target),
      note: `${name}: ${note}`,
    });
  });
}

interface AlertEvent {
  readonly event: OwnEvent;
  readonly target?: string | undefined;
  readonly stormOf?: number | undefined;
}

/**
 * The audit events of a change: one for each target that began or stopped firing, else one without a target if the alert began, ended or got worse. For a storm of unimportant alerts,
 * only the start and the end are recorded.
 */
function eventsOf(
  { update: { status }, before: fired, storm }: OfferChange,
  content: AlertContent,
): readonly AlertEvent[] {
  const event = status === 'firing' ? alertFiring : alertResolved;
  const before = readAlert(fired);
  if (storm?.tier === 'other') return storm.turned ? [{ event, stormOf: storm.total }] : [];
  const [was, is] = [before?.targets ?? [], status === 'firing' ? (content.targets ?? []) : []];
  const ofTargets: readonly AlertEvent[] = [
    ...is.filter((one) => !was.includes(one)).map((target) => ({ event: alertFiring, target })),
    ...was.filter((one) => !is.includes(one)).map((target) => ({ event: alertResolved, target })),
  ];
  if (ofTargets.length > 0) return ofTargets;
  const turned = (status === 'firing') !== (before !== undefined);
  const isWorse = status === 'firing' && rankOf(content.severity) > rankOf(before?.severity);
  return turned || isWorse ? [{ event }] : [];
}

function commandTarget(context: ReceiveContext, name: string): Target | undefined {
  const { inventory } = context.rulebook();
  const kind = targetNamed(name, inventory)?.kind;
  // `findNamed` throws for a target without a project or a region.
  return kind === undefined ? undefined : rescue(() => findNamed(inventory, kind, name));
}
