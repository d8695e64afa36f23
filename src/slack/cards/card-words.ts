import { neverLeft } from '../../model/errors.ts';
import { type Request, states, stateWord } from '../../model/request.ts';
import type { RolloutTarget, Target } from '../../model/target.ts';
import { clipMrkdwn, oneLine, safeLine } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { capitalized } from '../../text/words.ts';

/** `Reboot` for `reboot`, `Change raw logs of` for `change raw logs of`. */
function verbText(verb: string): string {
  const words = oneLine(verb);
  return capitalized(words);
}

/** `Reboot web-1`: the title of the card and the text of its button. */
export const actionLabel = (verb: string, target: Target): string =>
  `${verbText(verb)} ${target.kind === 'rollout' ? countText(target) : oneLine(target.name)}`;

/** `3 instances` */
const countText = ({ targets }: RolloutTarget): string =>
  `${targets.length} ${targets.every(({ kind }) => kind === 'instance') ? 'instances' : 'targets'}`;

export const wasNotSent = (request: Request): boolean =>
  request.state === 'failed' && neverLeft(request.outcome?.error?.code ?? '');

/** For a request that ended before it ran. After a restart Bellhop only knows what the store recorded. */
export function nothingSent({ outcome, rollout }: Request): string {
  if (rollout?.startedAt !== undefined) return 'Nothing more was sent.';
  return outcome?.unwitnessed === true
    ? 'Bellhop restarted in between and has no record of sending it.'
    : 'Nothing was sent.';
}

const kinds: Readonly<Record<Exclude<Target['kind'], 'own'>, string>> = {
  instance: 'an instance',
  container: 'a container',
  project: 'a project',
  cdn: 'the CDN account',
  'cdn-resource': 'a CDN resource',
  bucket: 'a bucket',
  storage: 'the storage account',
  bellhop: 'Bellhop',
  rollout: 'several targets',
};

const kindWords = (target: Target): string =>
  target.kind === 'own' ? oneLine(target.type) : kinds[target.kind];

/** Identifies the buttons of a card: lists of requests have buttons with the same action ids. */
export const cardBlock = ({ id }: Pick<Request, 'id'>): string => `card/${id}`;

/**
 * The fallback text of a card, for notifications and screen readers. Tools parse it, so it contains the word of the
 * request's state and of no other. Parts that contain one (an instance called `failed-over`) are omitted.
 */
export function fallbackText(request: Request, verb: string, notices: readonly string[]): string {
  const state = stateWord(request);
  const outcome = wasNotSent(request) ? `${state}, not sent` : state;
  const title = actionLabel(verb, request.target);
  const openers = [title, `${verbText(verb)} ${kindWords(request.target)}`, 'A change'];
  const opener = openers.find((candidate) => !namesState(candidate)) ?? 'A change';
  const rest = [`request ${request.id}`, ...notices].filter((part) => !namesState(part));
  const parts = [
    `${clipMrkdwn(safeLine(opener, 300), 500)}: ${outcome}`,
    ...rest.map((part) => safeLine(part, 200)),
  ];
  return clipMrkdwn(parts.join(' · '), limits.fallbackText);
}

const stateWords = new RegExp(states.join('|').replaceAll(' ', String.raw`\s+`), 'iu');
const namesState = (text: string): boolean => stateWords.test(text);
