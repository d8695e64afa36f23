import { actionLabelOf } from '../command/grammar/registry.ts';
import type { Actor } from '../model/actor.ts';
import type { Context } from '../model/ports.ts';
import type { Request } from '../model/request.ts';
import type { HeldClick } from '../model/step-up.ts';
import { stillToRun } from '../request/steps/rollout.ts';
import type { Row } from './page.ts';
import { capitalized } from '../text/words.ts';

type Names = Pick<Context, 'directory' | 'registry'>;

/** `Alice (U0ALICE)`: with the id, because anyone can choose any name in Slack. */
async function personText({ directory }: Names, actor: Actor): Promise<string> {
  const name = (await directory.person(actor))?.name;
  return name === undefined ? actor.user : `${name} (${actor.user})`;
}

/** `Reboot db-1` */
export function changeSentence({ registry }: Names, request: Request): string {
  const label = actionLabelOf(registry.find(request.operation), request);
  return `${capitalized(label)} ${stillToRun(request).target.name}`;
}

/** The change that the person is about to allow, and their login. */
export async function requestRows(
  context: Names,
  request: Request,
  { actor }: HeldClick,
  signedInAs: string,
): Promise<readonly Row[]> {
  const { target, words, preview, requester, reason, breakGlass, note, decision } = stillToRun(request);
  const labels = Object.entries(target.labels).map(([label, value]) => `${label}=${value}`);
  const rows = (effects: boolean): readonly Row[] =>
    preview
      .filter(({ isEffect = false }) => isEffect === effects)
      .map(({ label, value }): Row => [label, value]);
  return [
    ['Target', [target.name, ...(labels.length === 0 ? [] : [`(${labels.join(', ')})`])].join(' ')],
    ...rows(true),
    ['Requested by', await personText(context, requester)],
    ...(reason === undefined ? [] : [['Why', reason] as const]),
    ...(breakGlass === undefined ? [] : [['Break-glass', breakGlass] as const]),
    ...(note === undefined ? [] : [['Note', note] as const]),
    ['Signed in as', `${signedInAs}, in Slack ${await personText(context, actor)}`],
    ['Command', words],
    ...rows(false),
    ['Rule', decision.rule],
  ];
}

/** Why this click can no longer allow the change; undefined if it still can. */
export async function endedText(
  context: Names,
  request: Request | undefined,
  { version }: HeldClick,
): Promise<string | undefined> {
  if (!request) return 'Bellhop no longer has a record of that request.';
  if (request.version === version) return undefined;
  const { state, decidedBy, approvals, note = '' } = request;
  const by = decidedBy ? ` by ${await personText(context, decidedBy)}` : '';
  switch (state) {
    case 'cancelled':
      return `The request was cancelled${by}. ${note}`.trim();
    case 'refused':
      return `The request was ${decidedBy ? 'denied' : 'refused by the rules'}${by}. ${note}`.trim();
    case 'expired':
      return 'The request has expired.';
    case 'proposed':
    case 'awaiting approval':
      return `The request has changed since you pressed the button. Approvals so far: ${approvals.length}. Press the button in Slack again.`;
    case 'running':
    case 'succeeded':
    case 'failed':
    case 'unknown':
      return `The request was ${approvals.length > 0 ? 'approved' : 'confirmed'}${by} already. It is now: ${state}.`;
  }
}
