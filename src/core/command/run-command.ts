import type { Asker } from '../model/actor.ts';
import { entryOf } from '../audit/entries.ts';
import { beginForm, type BegunForm } from '../form/begin-form.ts';
import { uselessBreakGlass } from '../policy/break-glass.ts';
import type { Entry } from '../registry.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { format, parse, type Parsed, readInput, type Values } from '../grammar/grammar.ts';
import { helpOf, helpOverview } from '../grammar/help.ts';
import { refuseHidden } from './hidden-character.ts';
import { lookInside, offered } from '../introspection/introspect.ts';
import { denied, judge, type Judgement } from '../policy/authorize.ts';
import type { Case } from '../policy/authorization-request.ts';
import type { AskOptions } from '../grammar/option-tokens.ts';
import { refusePastedSecrets } from './pasted-secrets.ts';
import { propose } from '../request/propose.ts';
import { report, type Report } from '../model/report.ts';
import type { Request } from '../request/request.ts';
import { recordedAsk } from '../audit/audit-rejected.ts';
import { secretFaults } from '../policy/secret-bindings.ts';
import { refuseSecrets } from './secret-names.ts';
import { refuseLongText } from '../grammar/words.ts';

/** What an ask comes to. `request`: its card is shown by whoever keeps cards. */
export type Answer =
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
export async function askWords(
  environment: Environment,
  asker: Asker,
  area: string,
  text: string,
): Promise<Answer> {
  const parsed = await recordedAsk(environment, asker, `/${area}`, () => {
    refuseLongText(text);
    refusePastedSecrets(environment, text);
    return parse(environment.catalogue, area, text);
  });
  if (parsed.kind === 'help') return helpAnswer(environment, asker, parsed);
  if (parsed.kind === 'form') return beginForm(environment, asker, parsed);
  return ask(environment, asker, parsed.entry, parsed.values, parsed.options);
}

/** Help about one operation, about an area, or, for `/bellhop`, what the operation `bellhop.help` answers. */
async function helpAnswer(
  environment: Environment,
  asker: Asker,
  { area, entry }: Extract<Parsed, { kind: 'help' }>,
): Promise<Answer> {
  if (entry) return { kind: 'report', report: report.parse(helpOf(entry)) };
  const { catalogue } = environment;
  const help = area === 'bellhop' ? catalogue.find('bellhop.help') : undefined;
  if (help) return ask(environment, asker, help, {});
  const entries = await offered(environment, asker.actor, asker.place);
  return {
    kind: 'report',
    report: report.parse(helpOverview(catalogue, area, (one) => entries.includes(one))),
  };
}

/** Asks with values, however they were entered: the one path of every surface. @throws BellhopError */
export async function ask(
  environment: Environment,
  asker: Asker,
  entry: Entry,
  values: Values,
  options: AskOptions = {},
): Promise<Answer> {
  const { name } = entry.operation;
  const { input, target } = await recordedAsk(environment, asker, name, () =>
    understood(environment, entry, values, options),
  );
  const { actor, place } = asker;
  const of: Case = {
    entry,
    input: values,
    target,
    actor,
    place,
    breakGlass: options.breakGlass !== undefined,
  };
  const judgement = await judge(environment, of);
  if (judgement.decision.effect === 'deny') {
    await recordDenial(environment, asker, of, judgement);
    throw denied(environment, of, judgement.decision);
  }
  const useless = of.breakGlass ? uselessBreakGlass(environment, judgement.decision) : undefined;
  if (useless) {
    await recordDenial(environment, asker, of, judgement);
    throw useless;
  }
  if (entry.operation.risk === 'read') return read(environment, asker, of, input, judgement);
  if (asker.stillFirst && !(await asker.stillFirst())) {
    throw new BellhopError(
      'busy',
      'This arrived twice, and the other one is worked on. Nothing was done here.',
    );
  }
  const request = await recordedAsk(environment, asker, name, () =>
    propose(environment, asker, of, input, judgement, options),
  );
  return { kind: 'request', request };
}

/** @throws BellhopError `bad-input`, `unknown-target` */
function understood(environment: Environment, entry: Entry, values: Values, options: AskOptions) {
  refuseHidden([values, options]);
  refusePastedSecrets(environment, [values, options]);
  refuseSecrets(entry.fields, values);
  const input = readInput(entry, values);
  const [fault] = secretFaults(environment, entry, values);
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
  return { input, target: entry.operation.target(input, environment.rulebook().inventory) };
}

async function recordDenial(
  environment: Environment,
  asker: Asker,
  of: Case,
  { decision }: Judgement,
): Promise<void> {
  await environment.store.record([
    entryOf(environment, 'denied', { ...aboutCase(asker, of), decision: 'deny', rule: decision.rule }),
  ]);
}

const aboutCase = (asker: Asker, of: Case) => ({
  actor: asker.actor,
  place: asker.place,
  correlationId: asker.correlationId,
  operation: of.entry.operation.name,
  input: of.input,
  target: of.target,
});

async function read(
  environment: Environment,
  asker: Asker,
  of: Case,
  input: Readonly<Record<string, unknown>>,
  { decision, person }: Judgement,
): Promise<Answer> {
  const { operation } = of.entry;
  const about = { ...aboutCase(asker, of), decision: decision.effect, rule: decision.rule };
  try {
    const output = await operation.run(input, {
      target: of.target,
      service: environment.service,
      actor: asker.actor,
      person,
      place: asker.place,
      inventory: environment.rulebook().inventory,
      bellhop: lookInside(environment),
      resolveSecret: environment.resolveSecret,
      now: environment.clock.now(),
      correlationId: asker.correlationId,
    });
    const answer = report.parse(operation.report(output, { target: of.target, input }));
    await recordRead(environment, { ...about, outcome: 'answered' });
    const reached = operation.reached?.(output, input);
    return {
      kind: 'report',
      report: answer,
      words: format(of.entry, of.input),
      ...(reached === undefined ? {} : { follow: reached ? 'reached' : 'waiting' }),
    };
  } catch (error) {
    const note = error instanceof BellhopError ? error.code : 'unexpected';
    await recordRead(environment, { ...about, outcome: 'failed', note });
    throw error;
  }
}

/** A read is still answered while its entry cannot be written: only changes wait for the record. */
async function recordRead(environment: Environment, about: Parameters<typeof entryOf>[2]): Promise<void> {
  try {
    await environment.store.record([entryOf(environment, 'read', about)]);
  } catch (error) {
    environment.log.error({ err: error, correlationId: about.correlationId }, 'a read could not be recorded');
  }
}
