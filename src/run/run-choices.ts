import { type AlertTarget, targetNamed } from '../command/targets.ts';
import { resolveUnfinished } from '../command/resolve.ts';
import type { Rules } from '../model/context.ts';
import type { Values } from '../command/grammar/grammar.ts';
import type { Caller } from '../model/actor.ts';
import { BellhopError } from '../model/errors.ts';
import { canonicalId, type Inventory } from '../model/target.ts';
import { offered } from '../policy/authorize.ts';
import type { Entry } from '../model/registry.ts';

/** What a person may run on what a text names. */
export interface RunChoices {
  /** In the order of the text, without those that nothing may be run on. */
  readonly found: readonly { readonly name: string; readonly entries: readonly Entry[] }[];
  /** All that they may run here. */
  readonly all: readonly Entry[];
}

export async function runChoices(
  context: Rules,
  { actor, place }: Caller,
  text: string,
): Promise<RunChoices> {
  const all = await offered(context, actor, place);
  if (all.length === 0) return { found: [], all };
  const { inventory } = context.rulebook();
  const found = targetsIn(text, inventory).map((target) => ({
    name: target.name,
    entries: all.filter((entry) => fits(entry, target, inventory)),
  }));
  return { found: found.filter(({ entries }) => entries.length > 0), all };
}

/** The values of a form that begins with a target; none where the operation names no target by its first word. */
export function valuesFor({ fields }: Entry, name: string): Values {
  const field = fields.find(({ positional }) => positional);
  return field === undefined ? {} : { [field.name]: name };
}

function fits(entry: Entry, { kind, name }: AlertTarget, inventory: Inventory): boolean {
  try {
    const entered = { entry, values: valuesFor(entry, name), options: {} };
    return resolveUnfinished(entered, inventory).target.kind === kind;
  } catch (error) {
    if (error instanceof BellhopError) return false;
    throw error;
  }
}

/** A longer text is looked at no further. In UTF-16 units. */
const longestText = 20_000;
const mostTargets = 10;

const uuid = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/iu;
const spelled = new RegExp(`^\\d{1,15}/\\d{1,15}/${uuid.source}$`, 'iu');
/** A whole id with where it is, an id by itself, also within an address, or a word. */
const mentions = new RegExp(
  `\\b\\d{1,15}/\\d{1,15}/${uuid.source}\\b|\\b${uuid.source}\\b|[\\p{L}\\p{N}][\\p{L}\\p{N}._-]*(?::\\d{1,5}\\b)?`,
  'giu',
);

/** Each once, in the order of the text: names of the inventory and ids of it, and what is spelled out as `project/region/id`. */
export function targetsIn(text: string, inventory: Inventory): readonly AlertTarget[] {
  const found = new Map<string, AlertTarget>();
  for (const [word] of text.slice(0, longestText).matchAll(mentions)) {
    const target = named(word, inventory) ?? named(word.replace(/(?<![._-])[._-]+$/u, ''), inventory);
    if (target) found.set(`${target.kind} ${target.name}`, target);
    if (found.size >= mostTargets) break;
  }
  return [...found.values()];
}

function named(word: string, inventory: Inventory): AlertTarget | undefined {
  const listed = targetNamed(word, inventory);
  if (listed || !spelled.test(word)) return listed;
  return { kind: 'instance', name: word.replace(/[^/]+$/u, canonicalId) };
}
