import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { AfterRule } from '../../model/after.ts';
import type { Registry } from '../../model/registry.ts';
import type { Handler } from '../../model/records/due.ts';
import { listedActor, type MessageRef, samePerson } from '../../model/values/actor.ts';
import { type Request, stateWord } from '../../model/records/request.ts';
import { isSeveral } from '../../model/rulebook/target.ts';
import { listedIn } from '../../policy/roles.ts';
import { type Outbox, type Requests, reviewKind } from '../../model/records/requests.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { editOrPost } from '../../slack/web-api/deliver.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import { isRefusal } from '../../slack/web-api/slack-error.ts';
import {
  type Message,
  actions,
  button,
  contextBlock,
  header,
  disclaimerLines,
  section,
} from '../../slack/render/blocks.ts';
import {
  clipMrkdwn,
  linkAddress,
  mention,
  mrkdwnParts,
  safeLine,
  slackDateTime,
  usergroupMention,
} from '../../slack/render/text.ts';
import type { CardSync } from '../../slack/cards/card-sync.ts';
import { aboutText, signOf } from '../../slack/cards/card-words.ts';
import { limits } from '../../slack/render/limits.ts';
import { glassSection } from './section.ts';

export const reviewRule: AfterRule = {
  due: ({ id: key, review, reviewClosed, state }, { before, at }) =>
    review === undefined || reviewClosed || before?.state === state ? [] : [{ kind: reviewKind, key, at }],
};

interface ReviewPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage'>;
  readonly store: Pick<Requests, 'find'> & Pick<Outbox, 'keepAnnouncement'>;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
  readonly cards: Pick<CardSync, 'link'>;
  readonly registry: Registry;
  readonly rulebook: () => Rulebook;
  readonly disclaimers: readonly string[];
}

const dayMs = 24 * 60 * 60_000;
/** In milliseconds. A message that is nearly a day old is posted again instead of edited. */
const nearlyMs = 60_000;

/**
 * Announces a break-glass. Posting is retried until it succeeds, then repeated each day until someone other than the
 * requester closes the review.
 */
export const createReviewHandler = (ports: ReviewPorts): Handler => ({
  kind: reviewKind,
  atOnce: 10,
  trouble: 'a review could not be announced',
  async handle({ key }) {
    const { store, log } = ports;
    const request = await store.find(key);
    if (!request) return { done: true };
    try {
      await store.keepAnnouncement(key, await post(ports, request));
    } catch (error) {
      if (!isGone(error)) throw error;
      log.error(
        { err: error, requestId: key },
        'the channel for a review is gone; only /bellhop requests lists the review now',
      );
      return { done: true };
    }
    if (request.reviewClosed) return { done: true };
    return { againIn: isRecent(ports, request) ? dayMs - ageOf(ports, request) : dayMs };
  },
});

/** Slack's id of a message is the time of its posting. NaN before the message is posted. */
const ageOf = ({ clock }: ReviewPorts, { reviewMessage }: Request): number =>
  clock.now() - Number(reviewMessage?.ts) * 1_000;

const isRecent = (ports: ReviewPorts, request: Request): boolean => ageOf(ports, request) < dayMs - nearlyMs;

/** A new message each day, because an edit notifies no one. In between, and when the review is closed, the message is edited. */
async function post(ports: ReviewPorts, request: Request): Promise<MessageRef> {
  const { api, rulebook, cards, registry, disclaimers } = ports;
  const { place, reviewMessage, reviewClosed } = request;
  const edits = reviewClosed !== undefined || isRecent(ports, request);
  const message = renderReview(request, {
    repeated: reviewMessage !== undefined && !edits,
    skipped: skippedPeople(rulebook(), request),
    verb: actionLabelOf(registry.find(request.operation), request),
    link: await cards.link(request),
    disclaimers,
  });
  return editOrPost(api, edits ? reviewMessage : undefined, message, async () => {
    const announced = glassSection.of(rulebook());
    if (announced === undefined) return api.postMessage(place.channel, message, place.thread);
    try {
      return await api.postMessage(announced, message);
    } catch (error) {
      if (announced === place.channel || !isGone(error)) throw error;
      return api.postMessage(place.channel, message, place.thread);
    }
  });
}

const isGone = (error: unknown): boolean => isRefusal(error, 'channel_not_found', 'is_archived');

/** As mentions. Empty if the roles list only schedules. */
function skippedPeople({ policy }: Rulebook, { review, requester, place }: Request): string {
  const { users, usergroups } = listedIn(policy.roles, review?.approvers ?? []);
  const people = users
    .map((user) => listedActor(user, place.team))
    .filter((person) => !samePerson(person, requester));
  return [...people.map(mention), ...usergroups.map(usergroupMention)].slice(0, maxMentioned).join(', ');
}

const maxMentioned = 10;

interface ReviewOptions {
  readonly repeated?: boolean;
  readonly skipped?: string;
  /** For example `reboot`. */
  readonly verb: string;
  readonly link?: string | undefined;
  readonly disclaimers: readonly string[];
}

/** The button's value is the request's id. */
export const reviewAction = 'review';

/** Posted when the break-glass happens and each day while the review is open. Edited once the review is closed. */
export function renderReview(
  request: Request,
  { repeated = false, skipped = '', verb, link, disclaimers }: ReviewOptions,
): Message {
  const { id: requestId, requester, startedAt, createdAt, words, target, reviewClosed: closed } = request;
  const { rule = '', approvers = [], note, said = note === undefined ? [] : [note] } = request.review ?? {};
  const open = closed === undefined;
  const command = safeLine(words, 900);
  const again = repeated && open ? ' This review is still open.' : '';
  const title = open ? '🚨 Break-glass: review open' : '✅ Break-glass: review closed';
  const roles = safeLine(approvers.join(' or '), 200);
  const whose = skipped === '' ? roles : `${skipped} (${roles})`;
  const card = link === undefined ? '' : ` · <${linkAddress(link)}|Open the card>`;
  const ran = `${mention(requester)} ran ${aboutText(request, verb)} without approval: ${stateWord(request)}`;
  const overridden = said.length === 0 ? '' : `. ${mrkdwnParts(said, 300).trim()}`;
  const asks = open
    ? [section(`Someone other than ${mention(requester)} must review this and record the outcome.${again}`)]
    : [section(closing(closed))];
  return {
    text: clipMrkdwn(
      `${open && skipped !== '' ? `${skipped} ` : ''}${title} · ${ran}${overridden} · “${safeLine(request.breakGlass ?? '', 300)}”`,
      limits.fallbackText,
    ),
    blocks: [
      header(title),
      section(
        `${mention(requester)} ran ${command} on ${slackDateTime(startedAt ?? createdAt)} without approval by ${whose}.` +
          `\nOutcome: ${signOf(request)} ${stateWord(request)}${card}` +
          (isSeveral(target) ? `\nTargets: ${safeLine(target.name, 500)}` : '') +
          (said.length === 0 ? '' : `\n${mrkdwnParts(said, 500)}`),
      ),
      ...asks,
      contextBlock([
        `${safeLine(rule, 60)} · request ${safeLine(requestId, 60)}`,
        ...disclaimerLines(disclaimers),
      ]),
      ...(open
        ? actions([button({ text: 'Close the review', action: reviewAction, value: requestId })])
        : []),
    ],
  };
}

const closing = ({ by, at, word }: NonNullable<Request['reviewClosed']>): string =>
  `Closed by ${mention(by)} on ${slackDateTime(at)}: “${safeLine(word, 500)}”`;
