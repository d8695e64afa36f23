import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Caller } from '../model/values/actor.ts';
import { type Reach, type Rules, type RunnerContext, within } from '../model/ports.ts';
import type { Values } from '../command/grammar/grammar.ts';
import { rescue } from '../model/values/errors.ts';
import { type Inventory, targetsOfKind } from '../model/rulebook/target.ts';
import type { Completion } from '../model/operation.ts';
import { offered } from '../policy/authorize.ts';
import { reachOf } from '../policy/reach.ts';
import type { Entry } from '../model/registry.ts';
import { mayOpen } from './forms.ts';
import { pastedSecret } from '../command/grammar/refuse.ts';

type LookUpContext = Rules & Reach & Pick<RunnerContext, 'log'>;

const most = 100;

/**
 * At most 100 names that contain the typed text, first those that start with it.
 * @throws DeniedError if the person may not use the operation here
 */
export async function completionsFor(
  context: LookUpContext,
  caller: Caller,
  entry: Entry,
  field: string,
  typed: string,
): Promise<readonly Completion[]> {
  await mayOpen(context, caller.actor, caller.place, entry);
  const wanted = typed.trim().toLowerCase();
  const holding = (await listedOf(entry, field, context.rulebook().inventory)).filter(({ text }) =>
    text.includes(wanted),
  );
  const [beginning = [], others = []] = [true, false].map((begins) =>
    holding.filter(({ text }) => text.startsWith(wanted) === begins),
  );
  const known = [...beginning, ...others].slice(0, most).map(({ name, about }) => ({ name, about }));
  if (known.length >= most || pastedSecret(context, typed)) return known;
  return [...known, ...(await lookUp(context, caller, entry, field, wanted))].slice(0, most);
}

/** `text` is searched, in lower case. */
type Listed = readonly (Completion & { readonly text: string })[];

/** Per inventory, operation and field, because each keystroke can search thousands of names. */
const lists = new WeakMap<Inventory, Map<string, Promise<Listed>>>();

function listedOf(entry: Entry, field: string, inventory: Inventory): Promise<Listed> {
  const known = lists.get(inventory) ?? new Map<string, Promise<Listed>>();
  lists.set(inventory, known);
  const key = `${entry.operation.name} ${field}`;
  const listed = known.get(key) ?? listNames(entry, field, inventory);
  known.set(key, listed);
  return listed;
}

/** How many names are described before other work gets a turn. */
const sliceSize = 100;

async function listNames(entry: Entry, field: string, inventory: Inventory): Promise<Listed> {
  const kind = entry.fields.find(({ name }) => name === field)?.target;
  const names =
    kind === undefined
      ? []
      : Object.keys(targetsOfKind(inventory, kind)).toSorted(new Intl.Collator().compare);
  const listed: Listed[number][] = [];
  for (const name of names) {
    if (listed.length % sliceSize === sliceSize - 1) await nextTurn();
    const about = aboutTarget(entry, { [field]: name }, inventory);
    listed.push({ name, about, text: `${name} ${about}`.toLowerCase() });
  }
  return listed;
}

/** In milliseconds. Slack allows 3 s for suggestions. */
const lookUpWithinMs = 1_500;

/** Empty if the service is slow or the caller may not list its names here. */
export async function lookUp(
  context: LookUpContext,
  { actor, place, correlationId }: Caller,
  entry: Entry,
  field: string,
  typed: string,
): Promise<readonly Completion[]> {
  const source = entry.operation.lookUp;
  if (source?.field !== field) return [];
  const may = await offered(context, actor, place);
  if (!may.some(({ operation }) => operation.name === source.listedBy)) return [];
  const { clock, log } = context;
  const { inventory } = context.rulebook();
  try {
    const found = await within(clock, lookUpWithinMs, (signal) =>
      source.find(typed, { ...reachOf(context, entry, { correlationId, signal }), inventory }),
    );
    return found ?? [];
  } catch (error) {
    log.warn({ err: error, correlationId }, 'names could not be looked up in the service');
    return [];
  }
}

/** For example `staging, web · Luxembourg-2`. */
function aboutTarget({ operation }: Entry, values: Values, inventory: Inventory): string {
  const input = operation.input.safeParse(values);
  if (!input.success) return '';
  const target = rescue(() => operation.target(input.data, inventory));
  if (!target) return '';
  const region = 'region' in target ? (target.regionName ?? `region ${target.region}`) : '';
  return [Object.values(target.labels).join(', '), region].filter((part) => part !== '').join(' · ');
}
