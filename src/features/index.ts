import { type After, afterAll, type AfterRule } from '../model/after.ts';
import { kernelEvents } from '../audit/kernel-events.ts';
import type { EventMeaning, EventMeanings } from '../model/audit-event.ts';
import type { CardPorts, Feature, GatePorts, OfferPartPorts } from '../host/feature.ts';
import type { Operation } from '../model/operation.ts';
import type { LinkGate } from '../model/gate.ts';
import type { Members, SourceKind } from '../model/members.ts';
import type { Listing, StartEntries } from '../model/ports.ts';
import type { Source } from '../model/rulebook/rulebook.ts';
import type { LastingRestriction } from '../model/restriction.ts';
import type { DemandKey, ProgramKey, Section, SkipKey } from '../model/section.ts';
import { deadlineRule } from '../request/deadline.ts';
import { approversRule } from '../request/further-approvers.ts';
import { rollouts } from '../rollouts/index.ts';
import { noticeRule } from '../request/steps/notices.ts';
import type { Buttons, Forms } from '../slack/messages/context.ts';
import type { OfferParts, ShownOffers } from '../slack/messages/offers.ts';
import { agents } from './agents/index.ts';
import { alerts } from './alerts/index.ts';
import { breakGlass } from './break-glass/index.ts';
import { evidence } from './evidence/index.ts';
import type { CardExtra, CardLines } from '../slack/cards/card-lines.ts';
import { holds } from './holds/index.ts';
import { onCall } from './on-call/index.ts';
import { ownership } from './ownership/index.ts';
import { publication } from './publication/index.ts';
import { stepUp } from './step-up/index.ts';

/** Their order is that of their lines and commands. */
export const features: readonly Feature[] = [
  ownership,
  onCall,
  alerts,
  agents,
  breakGlass,
  evidence,
  publication,
  stepUp,
  holds,
];

/** All features, and rollouts. Rollouts add to the kernel as a feature does, but can't be taken out. */
export const rooms: readonly Feature[] = [rollouts, ...features];

export const offers: readonly ShownOffers[] = features.flatMap((one) => one.offers ?? []);

/** By action id. */
const buttons: Buttons = Object.fromEntries(rooms.flatMap((one) => Object.entries(one.buttons ?? {})));

/** By callback id. */
const forms: Forms = Object.fromEntries(features.flatMap((one) => Object.entries(one.forms ?? {})));

export const events: EventMeanings = new Map<string, EventMeaning>([
  ...Object.entries(kernelEvents),
  ...features.flatMap((one) => one.events ?? []).map((event) => [event.name, event] as const),
]);

export const ownCommands: readonly Operation[] = features.flatMap((one) => one.operations ?? []);

export const sections: readonly Section[] = features.flatMap(({ section }) => section ?? []);

export const demandKeys: readonly DemandKey[] = features.flatMap(({ demandKey }) => demandKey ?? []);

export const skipKeys: readonly SkipKey[] = features.flatMap(({ skipKey }) => skipKey ?? []);

export const programKeys: readonly ProgramKey[] = features.flatMap(({ programKey }) => programKey ?? []);

export const sourceKinds: readonly SourceKind[] = features.flatMap(({ sourceKind }) => sourceKind ?? []);

/** As a test or an audit entry gives them. @throws Error if no feature has this kind of source */
export function assumedMembers({ key, name }: Source, users: readonly string[] | undefined): Members {
  const kind = sourceKinds.find((one) => one.key === key);
  if (!kind) throw new Error(`no feature has the key ${key}`);
  return { kind, source: name, people: users?.map((user) => ({ user })), unmatched: [] };
}

/** In the order of their questions. */
export const gatesOf = (ports: GatePorts): readonly LinkGate[] =>
  features.flatMap(({ gate }) => gate?.(ports) ?? []);

export const cardLinesOf = (ports: CardPorts): readonly CardLines[] =>
  features.flatMap(({ cardLines }) => cardLines?.(ports) ?? []);

export const offerPartsOf = (ports: OfferPartPorts): readonly OfferParts[] =>
  features.flatMap(({ offerParts }) => offerParts?.(ports) ?? []);

/** Checked before limits and guards. */
export const restrictions: readonly LastingRestriction[] = features.flatMap((one) => one.restriction ?? []);

const startEntries: readonly StartEntries[] = features.flatMap((one) => one.startEntries ?? []);

const listings: readonly Listing[] = features.flatMap(({ listing }) => listing ?? []);

const cardExtras: readonly CardExtra[] = features.flatMap(({ cardExtra }) => cardExtra ?? []);

export const lists = { offers, buttons, forms, events, restrictions, startEntries, listings, cardExtras };

const kernelRules: readonly AfterRule[] = [deadlineRule, approversRule, noticeRule];

export const dueAfter: After = afterAll([...rooms.flatMap(({ after }) => after ?? []), ...kernelRules]);
