import type { Caller } from '../model/actor.ts';
import { entryOf } from '../audit/entries.ts';
import { beginForm, type BegunForm } from '../form/begin-form.ts';
import { uselessBreakGlass, denied } from '../policy/denied.ts';
import type { Entry } from '../registry.ts';
import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { format, parse, type Parsed, readInput, type Values } from '../grammar/grammar.ts';
import { helpOf, helpOverview } from '../grammar/help.ts';
import { refuseHidden, refuseLongText } from '../grammar/typed-text.ts';
import { introspect } from '../introspection/introspect.ts';
import { offered, authorize, type Authorization } from '../policy/authorize.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import type { CommandOptions } from '../grammar/option-tokens.ts';
import { refusePastedSecrets, refuseSecrets } from './secrets.ts';
import { propose } from '../request/propose.ts';
import { report, type Report } from '../model/report.ts';
import type { Request } from '../request/request.ts';
import { auditRejected } from './audit-rejected.ts';
import { secretFaults } from '../policy/secret-bindings.ts';

/** What an ask comes to. `request`: its card is shown by whoever keeps cards. */
export type CommandResult =
  | {
      readonly kind: 'report';
      readonly report: Report;
      readonly words?: string;
      /** The command asks to go on looking, and what it waits for has come or not. */
      readonly follow?: 'waiting' | 'reached';
    }
  | { readonly kind: 'request'; readonly request: Request }
  | BegunForm;

const longestReason = 500;

/** Asks with typed words. @throws BellhopError that says what is wrong and what to type instead */
export async function runTypedCommand(
  context: Context,
  caller: Caller,
  area: string,
  text: string,
): Promise<CommandResult> {
  const parsed = await auditRejected(context, caller, `/${area}`, () => {
    refuseLongText(text);
    refusePastedSecrets(context, text);
    return parse(context.registry, area, text);
  });
  if (parsed.kind === 'help') return helpAnswer(context, caller, parsed);
  if (parsed.kind === 'form') return beginForm(context, caller, parsed);
  return runCommand(context, caller, parsed.entry, parsed.values, parsed.options);
}

/** Help about one operation, about an area, or, for `/bellhop`, what the operation `bellhop.help` answers. */
async function helpAnswer(
  context: Context,
  caller: Caller,
  { area, entry }: Extract<Parsed, { kind: 'help' }>,
): Promise<CommandResult> {
  if (entry) return { kind: 'report', report: report.parse(helpOf(entry)) };
  const { registry } = context;
  const help = area === 'bellhop' ? registry.find('bellhop.help') : undefined;
  if (help) return runCommand(context, caller, help, {});
  const entries = await offered(context, caller.actor, caller.place);
  return {
    kind: 'report',
    report: report.parse(helpOverview(registry, area, (one) => entries.includes(one))),
  };
}

/** Asks with values, however they were entered: the one path of every surface. @throws BellhopError */
export async function runCommand(
  context: Context,
  caller: Caller,
  entry: Entry,
  values: Values,
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { name } = entry.operation;
  const { input, target } = await auditRejected(context, caller, name, () =>
    resolveCommand(context, entry, values, options),
  );
  const { actor, place } = caller;
  const of: AuthorizationRequest = {
    entry,
    input: values,
    target,
    actor,
    place,
    breakGlass: options.breakGlass !== undefined,
  };
  const authorization = await authorize(context, of);
  if (authorization.decision.effect === 'deny') {
    await recordDenial(context, caller, of, authorization);
    throw denied(context, of, authorization.decision);
  }
  const useless = of.breakGlass ? uselessBreakGlass(context, authorization.decision) : undefined;
  if (useless) {
    await recordDenial(context, caller, of, authorization);
    throw useless;
  }
  if (entry.operation.risk === 'read') return read(context, caller, of, input, authorization);
  if (caller.recheckDuplicate && !(await caller.recheckDuplicate())) {
    throw new BellhopError(
      'busy',
      'This arrived twice, and the other one is worked on. Nothing was done here.',
    );
  }
  const request = await auditRejected(context, caller, name, () =>
    propose(context, caller, of, input, authorization, options),
  );
  return { kind: 'request', request };
}

/** @throws BellhopError `bad-input`, `unknown-target` */
function resolveCommand(context: Context, entry: Entry, values: Values, options: CommandOptions) {
  refuseHidden([values, options]);
  refusePastedSecrets(context, [values, options]);
  refuseSecrets(entry.fields, values);
  const input = readInput(entry, values);
  const [fault] = secretFaults(context, entry, values);
  if (fault) throw new BellhopError('bad-input', `${fault.text} Nothing was done.`);
  if (options.breakGlass?.trim() === '') {
    throw new BellhopError('bad-input', '--break-glass needs a reason in words. Nothing was done.');
  }
  for (const reason of [options.reason, options.breakGlass]) {
    if (reason === undefined || reason.length <= longestReason) continue;
    throw new BellhopError(
      'bad-input',
      `That reason is longer than ${longestReason} characters. Shorten it.`,
    );
  }
  return { input, target: entry.operation.target(input, context.rulebook().inventory) };
}

async function recordDenial(
  context: Context,
  caller: Caller,
  of: AuthorizationRequest,
  { decision }: Authorization,
): Promise<void> {
  await context.store.record([
    entryOf(context, 'denied', { ...aboutCase(caller, of), decision: 'deny', rule: decision.rule }),
  ]);
}

const aboutCase = (caller: Caller, of: AuthorizationRequest) => ({
  actor: caller.actor,
  place: caller.place,
  correlationId: caller.correlationId,
  operation: of.entry.operation.name,
  input: of.input,
  target: of.target,
});

async function read(
  context: Context,
  caller: Caller,
  of: AuthorizationRequest,
  input: Readonly<Record<string, unknown>>,
  { decision, person }: Authorization,
): Promise<CommandResult> {
  const { operation } = of.entry;
  const about = { ...aboutCase(caller, of), decision: decision.effect, rule: decision.rule };
  try {
    const output = await operation.run(input, {
      target: of.target,
      service: context.service,
      actor: caller.actor,
      person,
      place: caller.place,
      inventory: context.rulebook().inventory,
      bellhop: introspect(context),
      resolveSecret: context.resolveSecret,
      now: context.clock.now(),
      correlationId: caller.correlationId,
    });
    const answer = report.parse(operation.report(output, { target: of.target, input }));
    await recordRead(context, { ...about, outcome: 'answered' });
    const reached = operation.reached?.(output, input);
    return {
      kind: 'report',
      report: answer,
      words: format(of.entry, of.input),
      ...(reached === undefined ? {} : { follow: reached ? 'reached' : 'waiting' }),
    };
  } catch (error) {
    const note = error instanceof BellhopError ? error.code : 'unexpected';
    await recordRead(context, { ...about, outcome: 'failed', note });
    throw error;
  }
}

/** A read is still answered while its entry cannot be written: only changes wait for the record. */
async function recordRead(context: Context, about: Parameters<typeof entryOf>[2]): Promise<void> {
  try {
    await context.store.record([entryOf(context, 'read', about)]);
  } catch (error) {
    context.log.error({ err: error, correlationId: about.correlationId }, 'a read could not be recorded');
  }
}
