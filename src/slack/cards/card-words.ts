import { neverLeft } from '../../model/values/errors.ts';
import { isWaiting, likelyWords, type Request, states, stateWord } from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import { begunAt, hasParts, type Named, shortName, tally, unclearText } from '../../model/records/whole.ts';
import { taskFailed } from '../../request/outcome/tasks.ts';
import { accountOf, eachTarget, severalKind, type Target } from '../../model/rulebook/target.ts';
import type { TextPart } from '../../text/parts.ts';
import { capitalized, clip, listed } from '../../text/words.ts';
import { wordSign } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { clipMrkdwn, factLine, mention, mrkdwnParts, oneLine, safeLine, slackTime } from '../render/text.ts';

const verbText = (verb: string): string => capitalized(oneLine(verb));

/** For example `Reboot web-1` or `Reboot 3 × tier=web`. */
export const actionLabel = (verb: string, request: Named): string =>
  `${verbText(verb)} ${oneLine(shortName(request))}`;

/** For example `*Reboot db-1* (production)` or `*Reboot 3 × tier=web* (staging)`. */
export function aboutText(request: Request, verb = ''): string {
  const { target } = request;
  const what = actionLabel(verb, request).trim();
  const places = new Set(eachTarget(target).flatMap(({ labels }) => labels['env'] ?? []));
  return `*${safeLine(what, 200)}*${places.size === 0 ? '' : ` (${safeLine([...places].join(', '), 60)})`}`;
}

/** For example `Reboot db-1 without approval by leads`. The roles are omitted if there is no room. */
export function withSkipped(label: string, { breakGlass, decision }: Request, room: number): string {
  if (breakGlass === undefined) return clip(label, room);
  const [skipped, roles] = [' without approval', ` by ${oneLine(decision.approvers.join(' or '))}`];
  const text = clip(label, room - skipped.length) + skipped;
  return text.length + roles.length > room ? text : text + roles;
}

export const wasNotSent = (request: Request): boolean =>
  request.state === 'failed' && neverLeft(request.outcome?.error?.code ?? '');

export function failedText(request: Request): string {
  if (wasNotSent(request)) return 'It did not run: nothing reached the service.';
  const { code } = request.outcome?.error ?? {};
  if (code === 'rejected') return 'It did not run: the service refused it.';
  return code === taskFailed ? 'The service started it, but it failed.' : 'It did not go through.';
}

export const recordText = 'Press *Settle…* to record that it did not run, or *Run it again*.';

export const foundParts = (search: RequestOutcome['search']): readonly TextPart[] =>
  search?.unconfirmed && search.at !== undefined
    ? [' Found ', { at: search.at }, '; the newest check could not confirm it.']
    : [];

export const foundText = (search: RequestOutcome['search']): string => mrkdwnParts(foundParts(search), 200);

/** After a restart, Bellhop knows only what the store recorded. */
export function nothingSent(request: Request): string {
  if (begunAt(request) !== undefined) return 'Nothing more was sent.';
  return request.outcome?.unwitnessed === true
    ? 'Bellhop restarted in the meantime, and has no record of sending the change.'
    : 'Nothing was sent.';
}

/**
 * For example `2 of 3 rebooted in 70 s. web-2 failed.` Undefined for a request of one target. @param done the past participle, such as
 * `rebooted`
 */
export function resultText(request: Request, done: string, took = ''): string | undefined {
  const parts = tally(request);
  if (!parts) return undefined;
  const { all, succeeded } = parts;
  const failed = safeLine(listed(parts.failed), 200);
  const unrun = safeLine(listed(parts.didNotRun), 200);
  const unclear = safeLine(unclearText(request), 400);
  const count = succeeded === all ? `All ${all}` : `${succeeded} of ${all}`;
  return `${count} ${safeLine(done, 60)}${took && ` in ${took}`}.${failed && ` ${failed} failed.`}${unrun && ` The change did not run on ${unrun}.`}${unclear && ` ${unclear}`}`;
}

/** A warning sign for a whole that is done although a part failed or is unknown. */
export function signOf(request: Request): string {
  const word = stateWord(request);
  const { all = 0, succeeded = all } = tally(request) ?? {};
  return word === 'done' && succeeded < all ? '⚠️' : wordSign(word);
}

interface KindWords {
  readonly label: string;
  readonly noun: string;
  readonly check: (name: string) => string;
}

const kinds: Readonly<Record<Exclude<Target['kind'], 'own'>, KindWords>> = {
  instance: { label: 'Instance', noun: 'an instance', check: (name) => `${name}'s state, tasks and uptime` },
  container: { label: 'Container', noun: 'a container', check: (name) => `${name}'s status and deployment` },
  project: { label: 'Project', noun: 'a project', check: (name) => `the contents of ${name}` },
  cdn: { label: 'Account', noun: 'the CDN account', check: () => "the settings in the provider's console" },
  'cdn-resource': { label: 'CDN', noun: 'a CDN resource', check: () => '`/cdn purges`' },
  bucket: { label: 'Bucket', noun: 'a bucket', check: (name) => `\`/storage events\` for ${name}` },
  storage: { label: 'Storage', noun: 'the storage account', check: () => '`/storage events`' },
  bellhop: { label: 'Bellhop', noun: 'Bellhop', check: () => '`/bellhop requests`' },
  [severalKind]: { label: 'Targets', noun: 'several targets', check: (name) => `the state of ${name}` },
};

export const kindWords = (target: Target): KindWords =>
  target.kind === 'own'
    ? {
        label: capitalized(target.type.replaceAll('-', ' ')),
        noun: oneLine(target.type),
        check: (name) => `${name} itself`,
      }
    : kinds[target.kind];

/** Lists have buttons with the same action ids, but other block ids. */
export const cardBlock = ({ id }: Pick<Request, 'id'>): string => `card/${id}`;

/**
 * For notifications and screen readers. Tools parse this text, so it contains the word for the request's state and no other state's word: a
 * name such as `failed-over`, or a reason with such a word, is omitted.
 */
export function fallbackText(request: Request, verb: string, disclaimers: readonly string[]): string {
  const { target, requester, reason, id, expiresAt } = request;
  const state = stateWord(request);
  const outcome = `${state}${wasNotSent(request) ? ', not sent' : likelyWords(request)}`;
  const label = actionLabel(verb, request);
  const title = isWaiting(request) ? withSkipped(label, request, limits.header - 60) : label;
  const openers = [title, `${verbText(verb)} ${kindWords(target).noun}`, 'A change'];
  const opener = openers.find((candidate) => !namesState(candidate)) ?? 'A change';
  const todo = state === 'proposed' ? 'confirm' : 'approve';
  const until = isWaiting(request) ? `, ${todo} by ${slackTime(expiresAt)}` : '';
  const asked = `for ${mention(requester)}${until}`;
  const rest = [...(reason === undefined ? [] : [reason]), `request ${id}`, ...disclaimers];
  const parts = [
    `${clipMrkdwn(safeLine(opener, 300), 500)}: ${outcome}`,
    ...(namesState(asked) ? [] : [asked]),
    ...rest.filter((part) => !namesState(part)).map((part) => safeLine(part, 200)),
  ];
  return clipMrkdwn(parts.join(' · '), limits.fallbackText);
}

const stateWords = new RegExp(states.join('|').replaceAll(' ', String.raw`\s+`), 'iu');
const namesState = (text: string): boolean => stateWords.test(text);

export const isUnlisted = (target: Target): boolean => target.kind === 'instance' && target.unlisted === true;
export const notListed = 'not in bellhop.yaml';

const maxLabels = 4;

/** For example `env=staging · tier=web · Luxembourg-2`. */
export function labelsLine({ target }: Request): string {
  const labels = Object.entries(target.labels).map(([name, value]) => `${name}=${value}`);
  const region = 'regionName' in target && target.regionName !== undefined ? [target.regionName] : [];
  const unlisted = isUnlisted(target) ? [notListed] : [];
  const account = accountOf(target);
  const named = account ? [`account ${account.name}`] : [];
  return [...unlisted, ...named, ...labels.slice(0, maxLabels), ...region]
    .map((label) => safeLine(label, 60))
    .join(' · ');
}

const uuid = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu;
export const shortIds = (text: string): string => text.replaceAll(uuid, '$1…');

/** In characters. An instance needs less room than settings, because its name says enough. */
const maxSent = { instance: 85, other: 300 };

/** Called “Preview” for your own operations, which may list facts that are not sent. */
export function previewTitle(request: Request): string {
  const { state } = request;
  if (!hasParts(request) && !request.preview.some(({ isCall }) => isCall)) return 'Preview';
  if (isWaiting(request)) return 'Will be sent';
  if (hasParts(request) && begunAt(request) !== undefined) return 'One after another';
  if (state === 'running') return request.outcome ? 'Sent' : 'Being sent';
  if (state === 'unknown' || request.outcome?.unwitnessed) return 'Request sent (outcome unknown)';
  const sent = state === 'succeeded' || (state === 'failed' && !wasNotSent(request));
  return sent ? 'Sent' : 'Not sent';
}

export function sentLine(request: Request): string {
  const { target } = request;
  const preview = request.preview.filter(({ isEffect }) => !isEffect);
  if (preview.length === 0) return '';
  const most = target.kind === 'instance' ? maxSent.instance : maxSent.other;
  const title = previewTitle(request);
  const said: string[] = [];
  for (const fact of preview) {
    const value = shortIds(factLine(fact, 160)) || '–';
    const next = said.length === 0 && fact.isCall ? value : `${safeLine(fact.label, 60)}: ${value}`;
    if ([...said, next].join(' · ').length > most && said.length > 0) break;
    said.push(next);
  }
  const left = preview.length - said.length;
  return `${title}: ${said.join(' · ')}${left > 0 ? ` · ${left} more in Details` : ''}`;
}
