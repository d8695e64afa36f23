import { nothingOffered } from '../command/grammar/help.ts';
import { type NamedTarget, targetNamed } from '../command/targets.ts';
import { resolveUnfinished } from '../command/resolve.ts';
import type { Rules } from '../model/ports.ts';
import type { Values } from '../command/grammar/grammar.ts';
import type { Caller } from '../model/values/actor.ts';
import { BellhopError, rescue } from '../model/values/errors.ts';
import { type Inventory, kindOf } from '../model/rulebook/target.ts';
import { offeredNow } from '../policy/authorize.ts';
import type { Entry } from '../model/registry.ts';
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
  return field === undefined ? {} : { [field.name]: field.kind === 'texts' ? [name] : name };
}

function fits(entry: Entry, { kind, name }: NamedTarget, inventory: Inventory): boolean {
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
export function targetsIn(text: string, inventory: Inventory): readonly NamedTarget[] {
  const found = new Map<string, NamedTarget>();
  for (const [word] of text.slice(0, longestText).matchAll(mentions)) {
    const target = named(word, inventory) ?? named(word.replace(/(?<![._-])[._-]+$/u, ''), inventory);
    if (target) found.set(`${target.kind} ${target.name}`, target);
    if (found.size >= maxTargets) break;
  }
  return [...found.values()];
}

function named(word: string, inventory: Inventory): NamedTarget | undefined {
  const listed = targetNamed(word, inventory);
  if (listed || !spelled.test(word)) return listed;
  return { kind: 'instance', name: word.replace(/[^/]+$/u, canonicalId) };
}
