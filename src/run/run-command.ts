import type { Context, Secrets } from '../model/ports.ts';
import { beginForm, type BegunForm } from './forms.ts';
import { lookUp } from './suggestions.ts';
import { type CommandLine, readCommandLine } from '../command/grammar/command-line.ts';
import { type EnteredCommand, parse, type Parsed, type Values } from '../command/grammar/grammar.ts';
import { helpOf, helpOverview } from '../command/grammar/help.ts';
import type { CommandOptions } from '../command/grammar/option-tokens.ts';
import { refuseHidden, refuseLongText } from '../command/grammar/words.ts';
import { type Caller, sameActor } from '../model/actor.ts';
import { BellhopError } from '../model/errors.ts';
import { report } from '../model/report.ts';
import type { Decision } from '../model/decision.ts';
import { authorize, offered } from '../policy/authorize.ts';
import { denied, uselessBreakGlass } from '../policy/denied.ts';
import { secretFaults } from '../policy/input-faults.ts';
import { type PressedSuggestion, propose } from '../request/propose.ts';
import type { Request } from '../model/request.ts';
import { assertRolls } from '../request/steps/rollout.ts';
import { type AttemptedCommand, auditRejected } from './audit-rejected.ts';
import { type AuthorizedRead, type ReportResult, runRead } from './read.ts';
import { resolve, type ResolvedCommand } from '../command/resolve.ts';
import { refusePastedSecrets, refuseSecrets } from '../command/grammar/secrets.ts';

/** What a command comes to. `request`: its card is shown by whoever keeps cards. */
export type CommandResult = ReportResult | ProposedRequest | BegunForm;

interface ProposedRequest {
  readonly kind: 'request';
  readonly request: Request;
}

/** The text after a slash command. @throws BellhopError that says what is wrong and what to type instead */
export const runTypedCommand = (
  context: Context,
  caller: Caller,
  area: string,
  text: string,
): Promise<CommandResult> =>
  run(context, caller, `/${area}`, (attempt) => {
    refuseUnread(context, text);
    return runText(context, caller, { area, text }, attempt);
  });

/** A command whose area may be left out, as a message has it. @throws BellhopError like `runTypedCommand` */
export const runCommandLine = (context: Context, caller: Caller, line: string): Promise<CommandResult> =>
  run(context, caller, undefined, (attempt) => {
    refuseUnread(context, line);
    const command = readCommandLine(context.registry, line);
    attempt.operation = `/${command.area}`;
    return runText(context, caller, command, attempt);
  });

/** Before any of the text is split, kept or repeated. @throws BellhopError `bad-input` */
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
  const parsed = parse(context.registry, area, text);
  switch (parsed.kind) {
    case 'help':
      return help(context, caller, parsed, attempt);
    case 'form':
      attempt.operation = parsed.entry.operation.name;
      return beginForm(context, caller, parsed);
    case 'command':
      return begin(context, caller, parsed, attempt);
  }
}

/** A submitted form. @throws BellhopError */
export async function submitForm(
  context: Context,
  caller: Caller,
  operation: string,
  values: Values,
  options: CommandOptions,
): Promise<CommandResult> {
  const entry = context.registry.find(operation);
  if (!entry) throw new BellhopError('unknown-command', `There is no operation “${operation}”.`);
  return run(context, caller, operation, (attempt) =>
    begin(context, caller, { entry, values, options }, attempt),
  );
}

/**
 * Runs the command of an earlier request for whoever clicks the button: authorized anew, or the form with all that was
 * entered where there is no other way in. A reason and a broken glass are somebody's own word: nobody else's are taken
 * over. @throws BellhopError
 */
export function runAgain(context: Context, caller: Caller, requestId: string): Promise<CommandResult> {
  return run(context, caller, undefined, async (attempt) => {
    const request = await context.store.find(requestId);
    const entry = request && context.registry.find(request.operation);
    if (!request || !entry)
      throw new BellhopError(
        'bad-input',
        'That request is no longer kept: type the command again. Nothing was done.',
      );
    const { reason, breakGlass } = request;
    const { each, pause } = request.rollout ?? {};
    const options = {
      ...(sameActor(request.requester, caller.actor) && { reason, breakGlass }),
      each,
      pause,
    };
    attempt.operation = entry.operation.name;
    return entry.operation.formOnly === true
      ? beginForm(context, caller, { entry, values: {}, options }, request)
      : begin(context, caller, { entry, values: request.input, options }, attempt);
  });
}

type Begun = CommandResult | AuthorizedRead;

/** One audit entry for each command that comes to nothing. A read that fails has its own. */
export async function run(
  context: Context,
  caller: Caller,
  operation: string | undefined,
  work: (attempt: AttemptedCommand) => Promise<Begun>,
): Promise<CommandResult> {
  const begun = await auditRejected(context, caller, operation, work);
  return begun.kind === 'read' ? runRead(context, caller, begun) : begun;
}

/** Help about one operation, about an area, or, for `/bellhop`, what the operation `bellhop.help` answers. */
async function help(
  context: Context,
  caller: Caller,
  { area, entry }: Extract<Parsed, { kind: 'help' }>,
  attempt: AttemptedCommand,
): Promise<Begun> {
  if (entry) return { kind: 'report', report: report.parse(helpOf(entry)) };
  const { registry } = context;
  const overview = area === 'bellhop' ? registry.find('bellhop.help') : undefined;
  if (overview) return begin(context, caller, { entry: overview, values: {}, options: {} }, attempt);
  const entries = await offered(context, caller.actor, caller.place);
  return {
    kind: 'report',
    report: report.parse(helpOverview(registry, area, (one) => entries.includes(one))),
  };
}

/** The one path of every surface: resolves, authorizes, and proposes what changes something. @throws BellhopError */
export async function begin(
  context: Context,
  caller: Caller,
  entered: EnteredCommand,
  attempt: AttemptedCommand,
  suggestion?: PressedSuggestion,
): Promise<ProposedRequest | AuthorizedRead> {
  const { operation } = entered.entry;
  attempt.operation = operation.name;
  const command = await resolveOrPoint(context, caller, entered);
  attempt.command = command;
  const authorization = await authorize(context, command, caller);
  const { decision } = authorization;
  attempt.onCall = authorization.onCall;
  const denial = denialOf(context, command, decision);
  if (denial) {
    attempt.deniedBy = decision.rule;
    throw denial;
  }
  if (operation.risk === 'read') return { kind: 'read', command, authorization };
  await refuseDuplicate(caller);
  return { kind: 'request', request: await propose(context, caller, command, authorization, suggestion) };
}

/** As `resolveChecked`; a name that only the service knows is said with what to type instead. @throws BellhopError */
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
    const names = found.slice(0, 3).map(({ name, title = name }) => `for ${title}, type ${name}`);
    throw new BellhopError('unknown-target', `${error.message} The service knows it: ${names.join('; ')}.`, {
      cause: error,
    });
  }
}

/** Why the command may not run, or not with `--break-glass`. */
export const denialOf = (
  context: Context,
  command: ResolvedCommand,
  decision: Decision,
): BellhopError | undefined =>
  decision.effect === 'deny'
    ? denied(context, command, decision)
    : uselessBreakGlass(context, command, decision);

const longestReason = 500;

/** @throws BellhopError `bad-input`, `unknown-target` */
export function resolveChecked(context: Secrets, entered: EnteredCommand): ResolvedCommand {
  const { entry, values, options } = entered;
  refuseHidden([values, options]);
  refusePastedSecrets(context, [values, options]);
  refuseSecrets(entry.fields, values);
  const command = resolve(entered, context.rulebook().inventory);
  if (command.each) assertRolls(context, entry);
  const [fault] = secretFaults(context, entry, values);
  if (fault) throw new BellhopError('bad-input', `${fault.text} Nothing was done.`);
  if (options.breakGlass?.trim() === '')
    throw new BellhopError('bad-input', '--break-glass needs a reason in words. Nothing was done.');
  if ([options.reason, options.breakGlass].some((reason = '') => reason.length > longestReason)) {
    const text = `That reason is longer than ${longestReason} characters. Shorten it.`;
    throw new BellhopError('bad-input', text);
  }
  return command;
}

/** @throws BellhopError `busy` where another delivery of the same command is being handled */
async function refuseDuplicate({ recheckDuplicate }: Caller): Promise<void> {
  if (!recheckDuplicate || (await recheckDuplicate())) return;
  throw new BellhopError(
    'busy',
    'This arrived twice, and the other one is worked on. Nothing was done here.',
  );
}
