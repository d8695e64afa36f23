import { hash } from 'node:crypto';

import { actionLabelOf } from '../../command/grammar/registry.ts';
import { type Actor, listedActor, sameActor } from '../../model/values/actor.ts';
import type { DeniedError } from '../../policy/denied.ts';
import type { Context } from '../../model/ports.ts';
import type { Request } from '../../model/records/request.ts';
import type { HeldClick } from '../../model/values/pass.ts';
import { stillToRun } from '../../model/records/whole.ts';
import { attemptLine, warningsOf } from '../../slack/cards/card-lines.ts';
import type { SlackContext } from '../../slack/messages/context.ts';
import { momentIn } from '../../text/local-time.ts';
import type { LinkPart, TextPart } from '../../text/parts.ts';
import { capitalized, escapeEntities } from '../../text/words.ts';

type Row = readonly [label: string, value: string];

/** A form that is sent without a button decides nothing. */
interface Form {
  readonly csrf: string;
  readonly buttons: readonly { readonly text: string; readonly decision: Decision }[];
}

export const decisions = ['approve', 'confirm', 'deny'] as const;
type Decision = (typeof decisions)[number];

export interface Page {
  readonly title: string;
  readonly text?: string | undefined;
  readonly rows?: readonly Row[] | undefined;
  readonly form?: Form | undefined;
}

const style = `
:root { color-scheme: light dark; --ink: #1d1c1d; --paper: #fff; --quiet: #616061; --line: #dddddd; --button: #00704a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #1a1d21; --quiet: #b3b4b6; --line: #41454a; --button: #00704a; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: 0.5rem 1rem; margin: 1rem 0 1.5rem; border-block: 1px solid var(--line); padding: 1rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; white-space: pre-line; }
button { min-height: 3rem; width: 100%; border: 0; border-radius: 0.5rem; padding: 0.5rem 1.5rem; background: var(--button); color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button.deny { background: var(--paper); color: var(--ink); box-shadow: inset 0 0 0 1px var(--quiet); }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; }
@media (min-width: 30rem) { button { width: auto; } }
button:focus-visible { outline: 3px solid currentColor; outline-color: var(--ink); outline-offset: 3px; }
footer { margin-top: 2rem; color: var(--quiet); font-size: 0.875rem; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every response, including errors and redirects. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Escapes HTML, and replaces characters that could hide or reorder other text. */
const escapeText = (text: string): string =>
  escapeEntities(text.replaceAll(/[^\P{C}\n]/gu, '\u{FFFD}'))
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

export function renderPage({ title, text, rows = [], form }: Page): string {
  const list = rows.map(
    ([label, value]) => `<dt>${escapeText(label)}</dt><dd><bdi>${escapeText(value)}</bdi></dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)} – Bellhop</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
${text === undefined ? '' : `<p role="status">${escapeText(text)}</p>`}
${list.length === 0 ? '' : `<dl>${list.join('')}</dl>`}
${form ? formOf(form) : ''}
<footer>Bellhop</footer>
</main>
</body>
</html>
`;
}

const formOf = ({ buttons, csrf }: Form): string => {
  const shown = buttons.map(
    ({ text, decision }) =>
      `<button name="decision" value="${decision}" class="${decision}">${escapeText(text)}</button>`,
  );
  return `<form method="post" action="approve"><input type="hidden" name="csrf" value="${csrf}">${shown.join('')}</form>`;
};

type Names = Pick<Context, 'directory' | 'registry' | 'ownTeam'>;

/** For example `Alice (U0ALICE)`. The id is shown because anyone can choose any name in Slack. */
async function personText({ directory }: Names, actor: Actor): Promise<string> {
  const name = (await directory.person(actor))?.name;
  return name === undefined ? actor.user : `${name} (${actor.user})`;
}

const maxNamed = 10;

/** For example `Allowed: role leads · people Carol (U0CAROL). Decided by rule “production”.` */
export async function whoMayText(context: Names, { rule, by, whoMay }: DeniedError): Promise<string> {
  const { roles, users, usergroups, noOne } = whoMay;
  const listedUsers = users.slice(0, maxNamed).map((user) => listedActor(user, context.ownTeam));
  const people = await Promise.all(listedUsers.map((one) => personText(context, one)));
  const groups = await Promise.all(usergroups.map((id) => groupText(context, id)));
  const who = [
    ...kindOf('role', 'roles', roles),
    ...kindOf('user group', 'user groups', groups),
    ...kindOf('person', 'people', people),
  ].join(' · ');
  const allowed = who === '' ? '' : `Allowed: ${who}.`;
  const none = who === '' && noOne ? "The current rules don't allow this for anyone." : allowed;
  return [none, ...(by === 'none' ? [] : [`Decided by ${rule}.`])].join(' ').trim();
}

const groupText = async ({ directory }: Names, id: string): Promise<string> => {
  const handle = await directory.handle?.(id);
  return handle === undefined ? id : `@${handle}`;
};

const kindOf = (one: string, many: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${names.length === 1 ? one : many} ${names.join(', ')}`];

/** For example `Reboot db-1`. */
export function changeSentence({ registry }: Names, request: Request): string {
  const label = actionLabelOf(registry.find(request.operation), request);
  return `${capitalized(label)} ${stillToRun(request).target.name}`;
}

/** The names that Slack sends for channels without a visible name. */
const unnamed: ReadonlyMap<string, string> = new Map([
  ['privategroup', 'a private channel'],
  ['directmessage', 'a direct message'],
  ['mpdm', 'a group message'],
]);

const channelText = (id: string, name = id.startsWith('D') ? 'directmessage' : undefined): string =>
  name === undefined ? id : (unnamed.get(name) ?? `#${name}`);

/** Lines above the effect, as on the card, but as plain text. */
async function noteText(
  context: Names & Pick<SlackContext, 'beside'>,
  request: Request,
  zone: string,
): Promise<string> {
  const beside = await context.beside(request);
  const parts = [...(beside.earlierParts?.values() ?? [])];
  const lines = [
    ...warningsOf(request, beside),
    ...parts.map((one) => attemptLine(one).concat(` (${one.target.name}).`)),
    [request.note ?? ''],
  ];
  const shown = async (part: TextPart | LinkPart): Promise<string> => {
    if (typeof part === 'string') return part;
    if ('link' in part) return part.text;
    if ('at' in part) return momentIn(part.at, zone);
    if ('person' in part) return personText(context, listedActor(part.person, context.ownTeam));
    return 'usergroup' in part ? groupText(context, part.usergroup) : channelText(part.channel);
  };
  const texts = lines.map(async (line) => (await Promise.all(line.map(shown))).join(''));
  return (await Promise.all(texts)).join('\n').trim();
}

/** @param signedInAs the name at the issuer */
export async function requestRows(
  context: Names & Pick<SlackContext, 'beside'>,
  request: Request,
  { actor, place, channelName }: HeldClick,
  signedInAs: string,
): Promise<readonly Row[]> {
  const { target, words, preview, requester, reason, breakGlass, decision, expiresAt } = stillToRun(request);
  // The person may have pressed the button elsewhere, such as on the Home tab.
  const asked = request.place.channel;
  const zone = (await context.directory.person(actor))?.timeZone ?? 'UTC';
  const labels = Object.entries(target.labels).map(([label, value]) => `${label}=${value}`);
  const note = await noteText(context, request, zone);
  const rows = (effects: boolean): readonly Row[] =>
    preview
      .filter(({ isEffect = false }) => isEffect === effects)
      .map(({ label, value }): Row => [label, value]);
  return [
    ['Target', [target.name, ...(labels.length === 0 ? [] : [`(${labels.join(', ')})`])].join(' ')],
    ...(note === '' ? [] : [['Note', note] as const]),
    ...rows(true),
    ['Requested by', await personText(context, requester)],
    ...(reason === undefined ? [] : [['Why', reason] as const]),
    ...(breakGlass === undefined ? [] : [['Break-glass', breakGlass] as const]),
    ['Decide by', momentIn(expiresAt, zone)],
    ['Channel', channelText(asked, place.channel === asked ? channelName : undefined)],
    ['Signed in as', `${signedInAs} (in Slack: ${await personText(context, actor)})`],
    ['Command', words],
    ...rows(false),
    ['Rule', decision.rule],
  ];
}

const nowIt = {
  running: 'is running now',
  succeeded: 'has succeeded',
  failed: 'has failed',
  unknown: 'its outcome is unknown',
} as const;

/** Undefined if the click can still allow the change. */
export async function endedText(
  context: Names,
  request: Request | undefined,
  { version, actor }: HeldClick,
): Promise<string | undefined> {
  if (!request) return 'Bellhop no longer has a record of that request.';
  if (request.version === version) return undefined;
  const { state, decidedBy, approvals, decision, note = '' } = request;
  const by = decidedBy ? ` by ${await personText(context, decidedBy)}` : '';
  switch (state) {
    case 'cancelled':
      return `The request was cancelled${by}. ${note}`.trim();
    case 'refused':
      return `The request was ${decidedBy ? 'denied' : 'denied by the rules'}${by}. ${note}`.trim();
    case 'expired':
      return 'The request has expired.';
    case 'proposed':
    case 'awaiting approval':
      if (approvals.some((approval) => sameActor(approval.by, actor)))
        return `You have approved the request. Approvals so far: ${approvals.length} of ${decision.approvals}.`;
      return `The request has changed since you pressed the button. Approvals so far: ${approvals.length}. Press the button in Slack again.`;
    case 'running':
    case 'succeeded':
    case 'failed':
    case 'unknown':
      return `The request has already been ${approvals.length > 0 ? 'approved' : 'confirmed'}${by}, and ${nowIt[state]}.`;
  }
}
