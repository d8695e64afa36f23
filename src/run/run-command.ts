import type { Context, Secrets } from '../model/ports.ts';
import { beginForm, type BegunForm } from './forms.ts';
import { lookUp } from './completions.ts';
import { type CommandLine, readCommandLine } from '../command/grammar/command-line.ts';
import { type EnteredCommand, parse, type Parsed, type Values } from '../command/grammar/grammar.ts';
import { helpOf, helpOverview } from '../command/grammar/help.ts';
import { actionLabelOf, targetField } from '../command/grammar/registry.ts';
import { type Caller, sameActor } from '../model/values/actor.ts';
import { badConfiguration, badInput, BellhopError } from '../model/values/errors.ts';
import { report } from '../model/values/report.ts';
import type { Decision } from '../model/values/decision.ts';
import { authorize, offeredNow } from '../policy/authorize.ts';
import { denied, uselessBreakGlass } from '../policy/denied.ts';
import { secretFaults } from '../policy/reach.ts';
import { withNamedOptions } from '../policy/reason.ts';
import { type TakenOffer, propose } from '../request/propose.ts';
import type { Request } from '../model/records/request.ts';
import { eachOptions, partAt, readPart } from '../model/records/whole.ts';
import { assertEach } from '../request/steps/healthy-again.ts';
import { type AttemptedCommand, auditRejected } from './admission.ts';
import { type AuthorizedRead, type ReportResult, runRead } from './read.ts';
import { listed } from '../text/words.ts';
import { redactReport } from '../command/redactor.ts';
import type { Target } from '../model/rulebook/target.ts';
import { hintAtQuotes } from '../command/quotes.ts';
import { onTarget, resolve, type ResolvedCommand } from '../command/resolve.ts';
import {
  refusePastedSecrets,
  refuseSecrets,
  refuseHidden,
  refuseLongReason,
  refuseLongText,
} from '../command/grammar/refuse.ts';
import type { CommandOptions } from '../command/grammar/words.ts';

/** The card of a request is shown separately. */
export type CommandResult = ReportResult | ProposedRequest | BegunForm;

interface ProposedRequest {
  readonly kind: 'request';
  readonly request: Request;
}

/** @throws BellhopError with the problem and what to type instead */
export const runTypedCommand = (
  context: Context,
  caller: Caller,
  area: string,
  text: string,
): Promise<CommandResult> =>
  run(context, caller, `/${area}`, (attempt) => runTyped(context, caller, { area, text }, attempt));

/** @throws BellhopError like `runTypedCommand` */
export function runTyped(
  context: Context,
  caller: Caller,
  command: CommandLine,
  attempt: AttemptedCommand,
): Promise<Begun> {
  refuseUnread(context, command.text);
  return runText(context, caller, command, attempt);
}

/** The area is optional, as in a message. @throws BellhopError like `runTypedCommand` */
export const runCommandLine = (context: Context, caller: Caller, line: string): Promise<CommandResult> =>
  run(context, caller, undefined, (attempt) => {
    refuseUnread(context, line);
    const command = readCommandLine(context.registry, line);
    attempt.operation = `/${command.area}`;
    return runText(context, caller, command, attempt);
  });

/** Before any part of the text is split, stored or repeated. @throws BellhopError `bad-input` */
function refuseUnread(context: Secrets, text: string): void {
  refuseLongText(text);
  refusePastedSecrets(context, text);
}

async function runText(
  context: Context,
  caller: Caller,
  { area, text }: CommandLine,
  attempt: AttemptedCommand,
): Promise<Begun> {
  try {
    const parsed = parse(context.registry, area, text);
    switch (parsed.kind) {
      case 'help':
        return await help(context, caller, parsed, attempt);
      case 'form':
        attempt.operation = parsed.entry.operation.name;
        return await beginForm(context, caller, parsed);
      case 'command':
        return await begin(context, caller, parsed, attempt);
    }
  } catch (error) {
    throw hintAtQuotes(context.registry, context.rulebook().inventory, { area, text }, error);
  }
}

/** @throws BellhopError */
export async function submitForm(
  context: Context,
  caller: Caller,
  operation: string,
  values: Values,
  options: CommandOptions,
): Promise<CommandResult> {
  const entry = context.registry.find(operation);
  if (!entry) throw new BellhopError('unknown-command', `Unknown operation “${operation}”.`);
  return run(context, caller, operation, (attempt) =>
    begin(context, caller, { entry, values, options }, attempt),
  );
}

/**
 * Authorizes the command of an earlier request anew, for the person who clicks. `value` names the request, or one target of a whole. An
 * operation that can only be run from its form opens that form. The reason and `--break-glass` are copied only for the same person, because
 * they are that person's words.
 * @throws BellhopError
 */
export function runAgain(context: Context, caller: Caller, value: string): Promise<CommandResult> {
  return run(context, caller, undefined, async (attempt) => {
    const { requestId, index } = readPart(value);
    const found = await context.store.find(requestId);
    const entry = found && context.registry.find(found.operation);
    const request =
      found && entry && index !== undefined ? partAt(found, index, targetField(entry)?.name) : found;
    if (!request || !entry)
      throw badInput('Bellhop no longer has that request. Type the command again. Nothing was done.');
    const { reason, breakGlass } = request;
    const options = {
      ...(sameActor(request.requester, caller.actor) && { reason, breakGlass }),
      ...eachOptions(request),
    };
    attempt.operation = entry.operation.name;
    // The card above the button names the action and the target.
    const button = `${actionLabelOf(entry, request)} ${request.target.name}`;
    return entry.operation.formOnly === true
      ? beginForm(context, caller, { entry, values: {}, options }, request)
      : begin(context, { ...caller, button }, { entry, values: request.input, options }, attempt);
  });
}

export type Begun = CommandResult | AuthorizedRead;

/** One audit entry for each rejected command. A failed read has its own. */
export async function run(
  context: Context,
  caller: Caller,
  operation: string | undefined,
  work: (attempt: AttemptedCommand) => Promise<Begun>,
): Promise<CommandResult> {
  const begun = await auditRejected(context, caller, operation, work);
  return begun.kind === 'read' ? runRead(context, caller, begun) : begun;
}

async function help(
  context: Context,
  caller: Caller,
  { area, entry }: Extract<Parsed, { kind: 'help' }>,
  attempt: AttemptedCommand,
): Promise<Begun> {
  const maySkip = context.rulebook().policy.rules.some(({ breakGlass }) => breakGlass.length > 0);
  if (entry) return { kind: 'report', report: report.parse(helpOf(entry, maySkip)) };
  const whole = area === 'bellhop' ? context.registry.find('bellhop.help') : undefined;
  if (whole) return begin(context, caller, { entry: whole, values: {}, options: {} }, attempt);
  const { entries, unsure } = await offeredNow(context, caller.actor, caller.place);
  const overview = helpOverview(context, area, (one) => entries.includes(one), unsure);
  return { kind: 'report', report: report.parse(overview) };
}

/** Every command takes this path, from Slack, forms and alerts. @throws BellhopError */
export async function begin(
  context: Context,
  caller: Caller,
  { options, ...entered }: EnteredCommand,
  attempt: AttemptedCommand,
  offer?: TakenOffer,
): Promise<ProposedRequest | AuthorizedRead | ReportResult> {
  const { operation } = entered.entry;
  attempt.operation = operation.name;
  const named = { ...entered, options: await withNamedOptions(context, options) };
  const command = await resolveOrPoint(context, caller, named);
  attempt.command = command;
  if (operation.atOnce) return act(context, caller, command, attempt);
  const ruled = await authorize(context, command, { ...caller, isReader: true });
  const asks = ruled.decision.effect === 'allow' && operation.risk !== 'read' && !showsAll(caller, command);
  const authorization = asks
    ? { ...ruled, decision: { ...ruled.decision, effect: 'confirm' as const } }
    : ruled;
  const { decision } = authorization;
  attempt.answers = authorization.answers;
  const denial = denialOf(context, command, decision);
  if (denial) {
    attempt.deniedBy = decision;
    throw denial;
  }
  if (operation.risk === 'read') return { kind: 'read', command, authorization };
  await refuseDuplicate(caller);
  return { kind: 'request', request: await propose(context, caller, command, authorization, offer) };
}

/** Its feature decides whether the rules have to allow the command. */
async function act(
  context: Context,
  caller: Caller,
  command: ResolvedCommand,
  attempt: AttemptedCommand,
): Promise<ReportResult> {
  const { entry, input, target } = command;
  const { name } = entry.operation;
  const asking = {
    caller,
    target,
    async assertAllowed(on: Target, operation = name) {
      const asked = { ...command, entry: context.registry.find(operation) ?? entry };
      const { decision, answers } = await authorize(context, onTarget(asked, on), caller);
      attempt.answers = answers;
      const denial = denialOf(context, command, decision);
      if (!denial) return;
      attempt.deniedBy = decision;
      throw denial;
    },
  };
  const parts = await entry.operation.act?.(input, asking, context);
  if (!parts) throw badConfiguration(`This version of Bellhop has no operation ${name}.`);
  return { kind: 'report', report: report.parse(redactReport(parts, (text) => context.redact(text))) };
}

/** The person entered the command, or the button named its action and target, and it has no other input. */
function showsAll({ button }: Caller, { entry, values, target }: ResolvedCommand): boolean {
  if (button === undefined) return true;
  const { operation, fields } = entry;
  const named = `${actionLabelOf(entry, { operation: operation.name, input: values })} ${target.name}`;
  const isNamed = button.replace(/…$/u, '').toLowerCase() === named.toLowerCase();
  return isNamed && fields.every((field) => field.target !== undefined || values[field.name] === undefined);
}

/** Says what to type if only the service knows the name. @throws BellhopError */
async function resolveOrPoint(
  context: Context,
  caller: Caller,
  entered: EnteredCommand,
): Promise<ResolvedCommand> {
  try {
    return resolveChecked(context, entered);
  } catch (error) {
    const { entry, values } = entered;
    const field = entry.operation.lookUp?.field ?? '';
    const typed = values[field];
    if (!(error instanceof BellhopError) || error.code !== 'unknown-target' || typeof typed !== 'string')
      throw error;
    const found = await lookUp(context, caller, entry, field, typed);
    if (found.length === 0) throw error;
    const names = found.slice(0, 3).map(({ name, title = name }) => `${title} (type ${name})`);
    const words = found.slice(0, 3).map(({ name }) => name);
    throw new BellhopError('unknown-target', `${error.message} The service has ${listed(names)}.`, {
      cause: error,
      guess: { typed, words },
    });
  }
}

export const denialOf = (
  context: Context,
  command: ResolvedCommand,
  decision: Decision,
): BellhopError | undefined =>
  decision.effect === 'deny'
    ? denied(context, command, decision)
    : uselessBreakGlass(context, command, decision);

/** @throws BellhopError `bad-input`, `unknown-target` */
export function resolveChecked(context: Secrets, entered: EnteredCommand): ResolvedCommand {
  const { entry, values, options } = entered;
  refuseHidden([values, options]);
  refusePastedSecrets(context, [values, options]);
  refuseSecrets(entry.fields, values);
  const command = resolve(entered, context.rulebook().inventory);
  if (options.each) assertEach(context, entry);
  const [fault] = secretFaults(context, entry, values);
  if (fault) throw badInput(fault.text);
  if (options.breakGlass?.trim() === '') throw badInput('--break-glass needs a reason.');
  refuseLongReason(options.reason ?? '');
  refuseLongReason(options.breakGlass ?? '');
  return command;
}

/** @throws BellhopError `busy` if another delivery of the same command is being handled */
async function refuseDuplicate({ recheckDuplicate }: Caller): Promise<void> {
  if (!recheckDuplicate || (await recheckDuplicate())) return;
  throw new BellhopError('busy', 'Duplicate delivery. The first one is being handled.');
}
