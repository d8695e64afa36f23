import type { Actor, Asker, Place } from './actor.ts';
import type { Entry } from './catalogue.ts';
import type { Environment } from './environment.ts';
import { BellhopError } from './errors.ts';
import { inputProblems, type Values } from './grammar.ts';
import { insight } from './insight.ts';
import { DeniedError } from './judge.ts';
import type { FormPlan } from './operation.ts';

/** What is wrong with an entered value, and with which field. */
export interface FieldFault {
  readonly field: string;
  readonly text: string;
}

/** What can be said about a form at once, without asking anybody: its schema, then its target. */
export function faultsOf(environment: Environment, entry: Entry, values: Values): readonly FieldFault[] {
  const input = entry.operation.input.safeParse(values);
  if (!input.success) return inputProblems(entry, input.error.issues);
  try {
    entry.operation.target(input.data, environment.rulebook().inventory);
    return [];
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    const field = entry.fields.find(({ positional }) => positional) ?? entry.fields[0];
    return [{ field: field?.name ?? '', text: error.message }];
  }
}

/** Which fields a form shows for what was entered so far; undefined: all of them. */
export async function planOf(
  environment: Environment,
  asker: Asker,
  entry: Entry,
  values: Values,
): Promise<FormPlan | undefined> {
  const { service } = environment;
  return entry.operation.form?.(values, { service, correlationId: asker.correlationId });
}

/** Names that a field can take, those first that begin like what was typed. At most 100. */
export function suggestionsFor(
  environment: Environment,
  entry: Entry,
  field: string,
  typed: string,
): readonly string[] {
  const known = entry.operation.suggest?.(field, environment.rulebook().inventory) ?? [];
  const wanted = typed.trim().toLowerCase();
  const holding = known.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return holding
    .toSorted((one, other) => begins(one) - begins(other) || one.localeCompare(other))
    .slice(0, 100);
}

/** A form is only shown to whom some rule could let through: it would list the inventory. @throws DeniedError */
export async function mayOpen(
  environment: Environment,
  actor: Actor,
  place: Place,
  entry: Entry,
): Promise<void> {
  const offered = await insight(environment).offered(actor, place);
  if (offered.includes(entry)) return;
  throw new DeniedError(`No rule lets you run ${entry.operation.name} here. Nothing was done.`, 'no rule', {
    roles: [],
    users: [],
    usergroups: [],
    channels: [],
  });
}
