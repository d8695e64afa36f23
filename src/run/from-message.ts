import type { CommandLine } from '../command/grammar/command-line.ts';
import { nothingOffered } from '../command/grammar/help.ts';
import { parse } from '../command/grammar/grammar.ts';
import { type AlertTarget, targetNamed } from '../command/targets.ts';
import { resolveUnfinished } from '../command/resolve.ts';
import type { Context, Rules } from '../model/ports.ts';
import type { Values } from '../command/grammar/grammar.ts';
import type { Caller } from '../model/values/actor.ts';
import { badInput, BellhopError, rescue } from '../model/values/errors.ts';
import { type Inventory, kindOf } from '../model/rulebook/target.ts';
import { type Suggestion, SuggestionEndedError } from '../model/records/suggestion.ts';
import { offeredNow, requireRole } from '../policy/authorize.ts';
import { DeniedError, whoHolds } from '../policy/denied.ts';
import { anyone } from '../policy/roles.ts';
import type { Entry } from '../model/registry.ts';
import { type AttemptedCommand, auditRejected } from './admission.ts';
import { begin, type Begun, type CommandResult, run, runTyped } from './run-command.ts';
import { type AlertMessage, isFiring } from '../model/records/alert.ts';
import { alertButtons } from '../alerts/buttons.ts';
import { suggested } from '../alerts/suggested.ts';
import { canonicalId } from '../text/words.ts';

export interface RunChoices {
  /** The targets in the order of the text, without targets that no command fits. */
  readonly found: readonly { readonly name: string; readonly entries: readonly Entry[] }[];
  readonly all: readonly Entry[];
}

/** @throws BellhopError `denied` if the person can't run anything here */
export async function runChoices(
  context: Rules,
  { actor, place }: Caller,
  text: string,
): Promise<RunChoices> {
  const { entries: all, unsure } = await offeredNow(context, actor, place);
  if (all.length === 0) throw new BellhopError('denied', unsure ?? nothingOffered);
  const { inventory } = context.rulebook();
  const found = targetsIn(text, inventory).map((target) => ({
    name: target.name,
    entries: all.filter((entry) => fits(entry, target, inventory)),
  }));
  return { found: found.filter(({ entries }) => entries.length > 0), all };
}

export function valuesFor({ fields }: Entry, name: string): Values {
  const field = fields.find(({ positional }) => positional);
  return field === undefined ? {} : { [field.name]: name };
}

function fits(entry: Entry, { kind, name }: AlertTarget, inventory: Inventory): boolean {
  const entered = { entry, values: valuesFor(entry, name), options: {} };
  const resolved = rescue(() => resolveUnfinished(entered, inventory));
  return resolved !== undefined && kindOf(resolved.target) === kind;
}

/** In UTF-16 units. Text beyond this limit is ignored. */
const longestText = 20_000;
const maxTargets = 10;

const uuid = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/iu;
const spelled = new RegExp(`^\\d{1,15}/\\d{1,15}/${uuid.source}$`, 'iu');
const mentions = new RegExp(
  `\\b\\d{1,15}/\\d{1,15}/${uuid.source}\\b|\\b${uuid.source}\\b|[\\p{L}\\p{N}][\\p{L}\\p{N}._-]*(?::\\d{1,5}\\b)?`,
  'giu',
);

/** Returns the targets named in a text by inventory name, id or full `project/region/id`: each once, in the order of the text. */
export function targetsIn(text: string, inventory: Inventory): readonly AlertTarget[] {
  const found = new Map<string, AlertTarget>();
  for (const [word] of text.slice(0, longestText).matchAll(mentions)) {
    const target = named(word, inventory) ?? named(word.replace(/(?<![._-])[._-]+$/u, ''), inventory);
    if (target) found.set(`${target.kind} ${target.name}`, target);
    if (found.size >= maxTargets) break;
  }
  return [...found.values()];
}

function named(word: string, inventory: Inventory): AlertTarget | undefined {
  const listed = targetNamed(word, inventory);
  if (listed || !spelled.test(word)) return listed;
  return { kind: 'instance', name: word.replace(/[^/]+$/u, canonicalId) };
}

interface AlertPress {
  readonly messageId: string;
  readonly key: string;
}

/**
 * Runs the command of a button for the person who pressed it. The command comes from the stored alert and the current
 * rules; the button only identifies the command.
 * @throws BellhopError if the alert or the button is gone, and as `runTypedCommand` does
 */
export const pressAlertButton = (
  context: Context,
  caller: Caller,
  { messageId, key }: AlertPress,
): Promise<CommandResult> =>
  run(context, caller, undefined, async (attempt) => {
    const message = await context.store.findAlertMessage(messageId);
    if (!message || message.channel !== caller.place.channel)
      throw stale('This alert is no longer stored. Type the command instead.');
    if (message.moved !== undefined)
      throw stale('This alert is continued in a newer message. Use the buttons there.');
    const suggestion = message.group?.content.suggestion;
    attempt.operation = suggestion?.operation;
    if (suggestion && !isOpen(context, message, suggestion)) throw new SuggestionEndedError();
    if (!isFiring(message)) throw stale('This alert is resolved. If you still need it, type the command.');
    const button = alertButtons(context, message).find((each) => each.key === key);
    if (!button)
      throw stale(
        'This button is no longer available, because bellhop.yaml or the alert changed. Type the command instead.',
      );
    const { command } = button;
    return suggestion
      ? takeUp(context, caller, { message, suggestion, command }, attempt)
      : runTyped(context, { ...caller, button: button.text }, command, attempt);
  });

const isOpen = ({ clock }: Context, message: AlertMessage, { expiresAt }: Suggestion): boolean =>
  isFiring(message) && clock.now() < expiresAt;

interface PressedButton {
  readonly message: AlertMessage;
  readonly suggestion: Suggestion;
  readonly command: CommandLine;
}

/** The person who presses the button becomes the requester, and always confirms: the words are the agent's. The suggestion ends only if the request is written. */
function takeUp(
  context: Context,
  caller: Caller,
  { message, suggestion, command }: PressedButton,
  attempt: AttemptedCommand,
): Promise<Begun> {
  const parsed = parse(context.registry, command.area, command.text);
  if (parsed.kind !== 'command')
    throw stale(
      `This suggestion's command is no longer valid. See /${command.area} help for its current form.`,
    );
  return begin(context, { ...caller, button: '' }, parsed, attempt, {
    agent: suggestion.agent,
    pressed({ id: requestId, createdAt: at }) {
      const ended = { state: 'pressed', at, by: caller.actor, requestId } as const;
      return suggested(context, { ...suggestion, ended }, whereOf(message));
    },
  });
}

const whereOf = ({ id: messageId, channel }: AlertMessage) => ({ messageId, channel });

/** Ends a suggestion without a request. @throws BellhopError if the suggestion has ended, or the caller is not a full member */
export const dismissSuggestion = (context: Context, caller: Caller, messageId: string): Promise<void> =>
  auditRejected(context, caller, undefined, async (attempt) => {
    const message = await context.store.findAlertMessage(messageId);
    const suggestion = message?.group?.content.suggestion;
    attempt.operation = suggestion?.operation;
    const refusal = new DeniedError(
      'Only full members of this workspace can dismiss a suggestion.',
      'no rule',
      whoHolds(context, [anyone]),
      { by: 'none' },
    );
    await requireRole(context, caller.actor, [anyone], refusal);
    if (!message || !suggestion || message.channel !== caller.place.channel)
      throw stale('This suggestion is no longer stored, so there is nothing to dismiss.');
    if (!isOpen(context, message, suggestion)) throw new SuggestionEndedError();
    const ended = { state: 'dismissed', at: context.clock.now(), by: caller.actor } as const;
    const ending = suggested(context, { ...suggestion, ended }, whereOf(message));
    if (!(await context.store.endSuggestion(ending))) throw new SuggestionEndedError();
  });

const stale = (text: string): BellhopError => badInput(`${text} Nothing was done.`);
