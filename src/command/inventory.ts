import {
  type Account,
  type Inventory,
  itself,
  type Where,
  type InventoryInstance,
  type InstanceTarget,
  type ContainerTarget,
  type OwnTarget,
  type ProjectTarget,
  type Target,
  namedKinds,
  targetsOfKind,
} from '../model/rulebook/target.ts';
import { guessOf } from '../text/nearest.ts';
import { badInput, BellhopError, misspelt, rescue } from '../model/values/errors.ts';
import { abridged, isUuid, canonicalId, nameOfId, someNames } from '../text/words.ts';

const qualified = /^(\d{1,15})\/(\d{1,15})\/([A-Za-z0-9][A-Za-z0-9_-]{0,127})$/u;

/**
 * Finds an instance by inventory name or `project/region/id`. An id of the inventory gets its name and labels however
 * the id is spelled, so that typing the id does not bypass rules on labels. Input that contradicts the inventory is
 * rejected, because the service would not find the instance.
 * @throws BellhopError `unknown-target`, `bad-input`
 */
export function findInstance(inventory: Inventory, typed: string, where: Where = {}): InstanceTarget {
  const spelled = qualified.exec(typed);
  if (spelled) {
    const [, project, region, id] = spelled;
    return qualifiedInstance(inventory, Number(project), Number(region), String(id), where);
  }
  const entry = instanceNamed(inventory, typed);
  if (!entry) {
    const listed = instanceById(inventory, typed)?.[0];
    const { words } = guessOf(listed ?? typed, Object.keys(inventory.instances));
    const [text, otherwise] = Object.hasOwn(inventory.containers, typed)
      ? [`${typed} is a container, not an instance.`, ` To see it, use /cloud container ${typed}.`]
      : [
          `bellhop.yaml lists no instance “${abridged(typed)}”.`,
          ' Use a name from bellhop.yaml, or project/region/id.',
        ];
    throw misspelt('unknown-target', text, { typed, words }, otherwise);
  }
  return {
    kind: 'instance',
    name: typed,
    ...located(inventory, typed, ownPlace(inventory, entry), where),
    ...inAccount(inventory, entry.account),
    id: entry.id,
    labels: { ...entry.labels },
  };
}

function qualifiedInstance(
  inventory: Inventory,
  project: number,
  region: number,
  id: string,
  where: Where,
): InstanceTarget {
  agreeing('project', `${project}/${region}/${id}`, project, where.project);
  agreeing('region', `${project}/${region}/${id}`, region, where.region);
  const [name, entry] = instanceById(inventory, id) ?? [];
  if (name === undefined && instanceNamed(inventory, id))
    throw badInput(`“${id}” is an inventory name, not an id. Type ${id} instead.`);
  if (name === undefined && !isUuid(canonicalId(id)))
    throw badInput(
      `“${abridged(id)}” is not an instance id, which is a UUID. Copy it from the provider's console.`,
    );
  const own = entry && ownPlace(inventory, entry);
  if (own?.project !== undefined && own.project !== project)
    throw elsewhere(name, 'project', own.project, project);
  if (own?.region !== undefined && own.region !== region) throw elsewhere(name, 'region', own.region, region);
  return {
    kind: 'instance',
    name: name ?? id,
    project,
    region,
    ...named(inventory, region),
    ...inAccount(inventory, entry?.account),
    id: entry?.id ?? id,
    unlisted: entry ? undefined : true,
    labels: { ...entry?.labels },
  };
}

/**
 * Returns the text that a rule on an instance is compared with: an inventory name, or the canonical id, alone or as
 * `project/region/id`. Returns undefined for text that can't name an instance.
 */
export function nameOfInstance(inventory: Inventory, text: string): string | undefined {
  if (instanceNamed(inventory, text)) return text;
  const id = canonicalId(text);
  if (isUuid(id) || instanceById(inventory, id)) return id;
  if (!qualified.test(text)) return undefined;
  const found = rescue(() => findInstance(inventory, text));
  return found && `${found.project}/${found.region}/${canonicalId(found.id)}`;
}

const elsewhere = (
  name: string | undefined,
  what: 'project' | 'region',
  own: number,
  typed: number,
): BellhopError =>
  badInput(`That is the id of “${name}”, which is in ${what} ${own}, not ${typed}. Type ${name} instead.`);

const instanceNamed = (inventory: Inventory, name: string): InventoryInstance | undefined =>
  Object.hasOwn(inventory.instances, name) ? inventory.instances[name] : undefined;

function instanceById(inventory: Inventory, id: string): readonly [string, InventoryInstance] | undefined {
  const name = nameOfId(inventory.instances, id);
  const entry = name === undefined ? undefined : inventory.instances[name];
  return name === undefined || entry === undefined ? undefined : [name, entry];
}

/** An instance exists in one place. If its entry names no place, the defaults are its place and can't be overridden. */
const ownPlace = (inventory: Inventory, entry: InventoryInstance): Where => ({
  project: entry.project ?? inventory.project,
  region: entry.region ?? inventory.region,
});

/**
 * Finds a container by inventory name, or by the service's own name in the default project and region.
 * @throws BellhopError `bad-input` if project or region is neither given nor configured
 */
export function findContainer(inventory: Inventory, name: string, where: Where = {}): ContainerTarget {
  const entry = Object.hasOwn(inventory.containers, name) ? inventory.containers[name] : undefined;
  return {
    kind: 'container',
    name,
    ...located(inventory, name, entry ?? {}, where),
    ...inAccount(inventory, entry?.account),
    labels: { ...entry?.labels },
  };
}

/** @throws BellhopError `unknown-target` unless there is exactly one target of the kind */
export function findOnly(inventory: Inventory, kind: string): Target {
  const names = Object.keys(targetsOfKind(inventory, kind));
  const [only] = names;
  if (only !== undefined && names.length === 1) return findNamed(inventory, kind, only);
  throw new BellhopError('unknown-target', `Enter the ${kind}: ${someNames(names, 10)}.`);
}

/** @throws BellhopError `unknown-target` with the nearest names of `targets` in bellhop.yaml */
function findOwnTarget({ targets }: Inventory, kind: string, typed: string): OwnTarget {
  const listed = Object.hasOwn(targets, kind) ? targets[kind] : undefined;
  const entry = listed && Object.hasOwn(listed, typed) ? listed[typed] : undefined;
  if (entry)
    return {
      kind: 'own',
      type: kind,
      name: typed,
      labels: { ...entry.labels },
      settings: { ...entry.settings },
    };
  const guess = guessOf(typed, Object.keys(listed ?? {}));
  const otherwise = ` “targets” in bellhop.yaml lists every ${kind}.`;
  throw misspelt('unknown-target', `There is no ${kind} “${abridged(typed)}”.`, guess, otherwise);
}

export function findNamed(inventory: Inventory, kind: string, typed: string, where: Where = {}): Target {
  if (kind === 'instance') return findInstance(inventory, typed, where);
  return kind === 'container'
    ? findContainer(inventory, typed, where)
    : findOwnTarget(inventory, kind, typed);
}

/** The listed targets of these kinds, without those whose place is not configured, as they can't be read or changed. */
export const listedTargets = (inventory: Inventory, kinds = namedKinds(inventory)): readonly Target[] =>
  kinds.flatMap((kind) =>
    Object.keys(targetsOfKind(inventory, kind)).flatMap(
      (name) => rescue(() => findNamed(inventory, kind, name)) ?? [],
    ),
  );

/** Returns the target of an operation that names none, which is its area as a whole. @throws BellhopError `bad-input` */
export function targetOfArea(inventory: Inventory, area: string, where: Where): Target {
  switch (area) {
    case 'cloud':
      return findProject(inventory, where);
    case 'cdn':
      return { kind: 'cdn', name: 'CDN account', labels: {} };
    case 'bellhop':
      return itself;
    default:
      return { kind: 'own', type: 'area', name: area, labels: {}, settings: {} };
  }
}

function findProject(inventory: Inventory, where: Where = {}): ProjectTarget {
  const at = located(inventory, 'this', {}, where);
  const account = inAccount(inventory, where.account);
  const name = `project ${at.project}, region ${at.region}${where.account === undefined ? '' : `, account ${where.account}`}`;
  return { kind: 'project', name, ...at, ...account, labels: {} };
}

/** @throws BellhopError `bad-input` for an account that bellhop.yaml does not list */
function inAccount({ accounts = {} }: Inventory, name: string | undefined): { account?: Account } {
  if (name === undefined) return {};
  const known = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
  if (known) return { account: { name, url: known.baseUrl } };
  const guess = guessOf(name, Object.keys(accounts));
  throw misspelt('bad-input', `bellhop.yaml lists no account “${abridged(name)}”.`, guess);
}

function located(inventory: Inventory, name: string, entry: Where, where: Where) {
  const project = agreeing('project', name, entry.project, where.project) ?? inventory.project;
  const region = agreeing('region', name, entry.region, where.region) ?? inventory.region;
  if (project === undefined) throw missing('project');
  if (region === undefined) throw missing('region');
  return { project, region, ...named(inventory, region) };
}

function agreeing(
  what: 'project' | 'region',
  name: string,
  own: number | undefined,
  given: number | undefined,
): number | undefined {
  if (own !== undefined && given !== undefined && own !== given) {
    throw badInput(`“${name}” is in ${what} ${own}, not ${given}. Remove --${what}.`);
  }
  return own ?? given;
}

const missing = (what: 'project' | 'region'): BellhopError =>
  badInput(`No ${what} is given. Add --${what} <number>, or set “${what}:” in bellhop.yaml.`);

function named(inventory: Inventory, region: number): { regionName?: string } {
  const regionName = inventory.regions[String(region)];
  return regionName === undefined ? {} : { regionName };
}
