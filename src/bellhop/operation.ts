import type { z } from 'zod';

import { fieldsOf } from '../command/grammar/registry.ts';
import { findNamed, findOnly, targetOfArea } from '../command/inventory.ts';
import type { Field } from '../model/registry.ts';
import type { Observation, Operation, ReadContext, RunContext } from '../model/operation.ts';
import type { ReportParts } from '../model/values/report.ts';
import type { Risk } from '../model/rulebook/rulebook.ts';
import type { Inventory, OwnTarget, Target } from '../model/rulebook/target.ts';
import { lazily } from '../text/words.ts';

type Derived = 'examples' | 'report' | 'target';

type Declared<S extends z.ZodObject, T extends Target, Output, Service, R extends Risk> = Omit<
  Operation<S, T, Output, Service>,
  'risk' | 'run' | Derived
> &
  Partial<Pick<Operation<S, T, Output, Service>, Derived>> & {
    readonly risk: R;
    readonly run: (
      input: z.output<S>,
      context: RunContext<T, Service> & (R extends 'read' ? ReadContext<T, Service> : unknown),
    ) => Promise<Output>;
  };

const declarations = new WeakSet<object>();

/** Declares an operation. Its target is the field whose `meta` has `target`, unless `target` is declared. */
export function operation<
  S extends z.ZodObject,
  Output,
  R extends Risk,
  T extends Target = OwnTarget,
  Service = unknown,
>(declared: Declared<S, T, Output, Service, R>): Operation<S, T, Output, Service> {
  // The field is read on first use, because the declaration may be invalid. It is read only once, because thousands of
  // targets may be looked up.
  const field = lazily(() => fieldsOf(declared.input).find(({ target }) => target !== undefined));
  const {
    examples = [commandOf(declared.name)],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without `target`, T is the type of the field's target
    target = (values, inventory) => targetOf(field(), declared.name, values, inventory) as T,
    report = doneReport(declared),
    sighting = changedSighting,
    ...rest
  } = declared;
  const whole = {
    ...rest,
    examples,
    target,
    report,
    ...(declared.observe && { sighting }),
  };
  declarations.add(whole);
  return whole;
}

/** Whether `operation` made the value, even from an invalid declaration. */
export const isDeclared = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && declarations.has(value);

const doneReport =
  ({ name, risk }: { readonly name: string; readonly risk: Risk }) =>
  (_output: unknown, { target }: { readonly target: Target }): ReportParts => ({
    title: `${name} on ${target.name}: ${risk === 'read' ? 'answered' : 'done'}`,
    tone: 'good',
  });

/** Returns the target that the field names. An operation without such a field acts on its area as a whole. */
function targetOf(
  field: Field | undefined,
  name: string,
  values: Readonly<Record<string, unknown>>,
  inventory: Inventory,
): Target {
  const [area = ''] = name.split('.');
  if (field?.target === undefined) return targetOfArea(inventory, area, values);
  const typed = values[field.name];
  if (typeof typed === 'string') return findNamed(inventory, field.target, typed, values);
  return findOnly(inventory, field.target);
}

/**
 * Shows the earlier and the current observation. The observations settle nothing, because others can also change the
 * target.
 */
export function changedSighting(
  before: Observation | undefined,
  now: Observation,
  { name }: Target,
): ReportParts {
  const [was, is] = [before && wordsOf(before), wordsOf(now)];
  return {
    title: was === is ? `${name} looks unchanged: ${is}` : `${name}: ${is}`,
    tone: 'unsure',
    facts: [
      { label: 'State before the request', value: was ?? 'not known' },
      { label: 'State now', value: is },
    ],
    notes: ["The current state doesn't show who changed it, so the outcome stays unknown."],
  };
}

export const wordsOf = (seen: Observation): string =>
  Object.entries(seen)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');

/** Returns a command even for an invalid name, which the check of the file will report. */
const commandOf = (name: unknown): string => `/${String(name).replace('.', ' ')}`;
