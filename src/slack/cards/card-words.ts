import { neverLeft } from '../../model/errors.ts';
import { type Request, states } from '../../model/request.ts';
import type { Target } from '../../model/target.ts';
import { clipMrkdwn, oneLine, safeLine } from '../render/text.ts';
import { limits } from '../render/limits.ts';

/** What a card calls its operation: `Reboot` of `reboot`, `Change raw logs of` of `change raw logs of`. */
function verbText(verb: string): string {
  const words = oneLine(verb);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `Reboot web-1`: the title of the card and the text of its button. */
export const actionLabel = (verb: string, target: Target): string =>
  `${verbText(verb)} ${oneLine(target.name)}`;

export const wasNotSent = (request: Request): boolean =>
  request.state === 'failed' && neverLeft(request.outcome?.error?.code ?? '');

/** Of a request that ended before it was let run. A process knows of what it lived through; else only the store says so. */
export const nothingSent = ({ outcome }: Request): string =>
  outcome?.unwitnessed === true
    ? 'Bellhop restarted meanwhile and has no record of sending it.'
    : 'Nothing was sent.';

const kinds: Readonly<Record<Target['kind'], string>> = {
  instance: 'an instance',
  container: 'a container',
  project: 'a project',
  cdn: 'the CDN account',
  'cdn-resource': 'a CDN resource',
  bucket: 'a bucket',
  storage: 'the storage account',
  bellhop: 'Bellhop',
};

/** The block that has the buttons of a card, and no other message: a list of requests has the same buttons. */
export const cardBlock = ({ id }: Pick<Request, 'id'>): string => `card/${id}`;

/**
 * What a notification says of a card. It names the state with the state's word and no other state's: others read it
 * by that. A target or a notice that holds such a word (an instance called `failed-over`) is therefore left out.
 */
export function fallbackText(request: Request, verb: string, notices: readonly string[]): string {
  const { state } = request;
  const said = wasNotSent(request) ? `${state}, not sent` : state;
  const title = actionLabel(verb, request.target);
  const openers = [title, `${verbText(verb)} ${kinds[request.target.kind]}`, 'A change'];
  const opener = openers.find((candidate) => !namesState(candidate)) ?? 'A change';
  const rest = [`request ${request.id}`, ...notices].filter((part) => !namesState(part));
  const parts = [
    `${clipMrkdwn(safeLine(opener, 300), 500)}: ${said}`,
    ...rest.map((part) => safeLine(part, 200)),
  ];
  return clipMrkdwn(parts.join(' · '), limits.fallbackText);
}

const stateWords = new RegExp(states.join('|').replaceAll(' ', String.raw`\s+`), 'iu');
const namesState = (text: string): boolean => stateWords.test(text);
