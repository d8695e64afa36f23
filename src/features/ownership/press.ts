import { isFiring, type OfferMessage } from '../../model/records/offer.ts';
import type { Rule } from '../../model/rulebook/rulebook.ts';
import type { Actor, Caller } from '../../model/values/actor.ts';
import { requireRole } from '../../policy/authorize.ts';
import { DeniedError, whoHolds } from '../../policy/denied.ts';
import { anyone, isListed, listedIn } from '../../policy/roles.ts';
import { holdsARole } from '../../run/introspect.ts';
import { stale } from '../../run/press-offer.ts';
import { answerPrivately, sayPrivately } from '../../slack/handle/reply.ts';
import type { Buttons, SlackContext } from '../../slack/messages/context.ts';
import type { Click } from '../../slack/receive/dispatch.ts';
import { mrkdwnParts } from '../../slack/render/text.ts';
import { handBack, type OnCall, ownerKind, take } from './owner.ts';
import { handBackAction, ownedForMs, renderOwn, takeAction } from './render.ts';

type OwnedGroup = OfferMessage & { readonly group: NonNullable<OfferMessage['group']> };

/** *I'm on it*, *Take over* and *Hand back*, under an alert and in `/bellhop alerts`. */
export const ownerButtons: Buttons = {
  [takeAction]: (context, click) => pressed(context, click, takeGroup),
  [handBackAction]: (context, click) => pressed(context, click, giveBack),
};

const pressed = (
  context: SlackContext,
  click: Click,
  work: (context: SlackContext, click: Click, message: OwnedGroup) => Promise<void>,
): Promise<void> => {
  const { caller } = click.context;
  return context.inProgress.run(caller.actor, async () => {
    await assertMayOwn(context, caller.actor);
    const message = await context.store.findOfferOfGroup((click.action.value ?? '').slice(0, 100));
    const { group } = message ?? {};
    if (!message || !group) throw stale('This alert is no longer stored.');
    if (!(await maySee(context, caller, message.channel)))
      throw stale('This alert belongs to another channel.');
    if (!isFiring(message)) throw stale("This alert isn't firing any more.");
    await work(context, click, { ...message, group });
  });
};

/**
 * Checks that the person is a full member of the bot's own team, or that a role lists them by id.
 * @throws DeniedError
 */
async function assertMayOwn(context: SlackContext, actor: Actor): Promise<void> {
  const person = await context.directory.person(actor);
  const { roles } = context.rulebook().policy;
  if (person?.active && Object.values(roles).some((role) => isListed(role, actor, person, context.ownTeam)))
    return;
  const refusal = new DeniedError(
    'Only full members of this workspace, and people whom a role lists by id, can be on an alert. Nothing was done.',
    'no rule',
    whoHolds(context, [anyone]),
    { by: 'none' },
  );
  await requireRole(context, actor, [anyone], refusal);
}

/** In a direct message, people with a role see the alerts of all channels. */
const maySee = async (context: SlackContext, { actor, place }: Caller, channel: string): Promise<boolean> =>
  place.channel === channel || (place.channel.startsWith('D') && (await holdsARole(context, actor)));

async function takeGroup(context: SlackContext, click: Click, message: OwnedGroup): Promise<void> {
  const { store, clock, disclaimers } = context;
  const { caller, responseUrl } = click.context;
  const forMs = ownedForMs(context, message.source);
  if (forMs === undefined) throw stale('The source of this alert is no longer in bellhop.yaml.');
  const { actor: by } = caller;
  const now = clock.now();
  const { kept, drafts } = await store.changeLasting(ownerKind, now, take(context, { by, forMs, message }));
  if (drafts.length > 0) await store.redrawGroup(message.group.id, now);
  await answerPrivately(context, { caller, responseUrl }, () => renderOwn(kept, disclaimers));
}

async function giveBack(context: SlackContext, click: Click, message: OwnedGroup): Promise<void> {
  const { store, clock } = context;
  const { caller, responseUrl } = click.context;
  const now = clock.now();
  const { actor: by } = caller;
  const onCall = onCallIn(context, message.channel);
  const { drafts } = await store.changeLasting(ownerKind, now, handBack(context, { by, message, onCall }));
  if (drafts.length === 0) throw stale('You are not on this alert.');
  await store.redrawGroup(message.group.id, now);
  await sayPrivately(context, { caller, responseUrl }, 'You handed it back. No one is on it now.');
}

/**
 * The people on call for a channel: in the schedules that the channel's own rules name. Without these, in
 * the schedule that rules for all channels name, if there is only one.
 */
function onCallIn({ rulebook, directory, ownTeam }: SlackContext, channel: string): OnCall {
  const { rules, roles } = rulebook().policy;
  const sourcesOf = (isMeant: (rule: Rule) => boolean | undefined) => {
    const meant = rules.filter((rule) => rule.effect !== 'deny' && isMeant(rule));
    return listedIn(
      roles,
      meant.flatMap(({ roles: names = [], approvers }) => names.concat(approvers)),
    ).sources;
  };
  const own = sourcesOf(({ channels }) => channels?.includes(channel));
  const general = sourcesOf(({ channels }) => !channels);
  const found = (own.length > 0 || general.length > 1 ? own : general).map((source) =>
    directory.membersOf(source),
  );
  return {
    people: found.flatMap(({ people = [] }) => people.map(({ user }) => ({ team: ownTeam, user }))),
    text: found.map((members) => ` ${mrkdwnParts(members.kind.words.now(members), 700)}.`).join(''),
  };
}
