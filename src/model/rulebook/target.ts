import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { accounts, containerEntry, instanceEntry, targets } from './inventory-schema.ts';
import type { Written } from './schema-parts.ts';
import { canonicalId } from '../../text/words.ts';

const labels = z.record(z.string(), z.string());

/** Not the default account. A confirmation is bound to the address. */
const account = z.object({ name: z.string(), url: z.string() });
export type Account = Readonly<z.output<typeof account>>;

const where = {
  project: z.number().int(),
  region: z.number().int(),
  regionName: z.string().optional(),
  account: account.optional(),
  labels,
};

const instanceTarget = z.object({
  kind: z.literal('instance'),
  /** The inventory's name, or else the id. */
  name: z.string(),
  ...where,
  id: z.string(),
  /** Not in the inventory, so it has no labels. */
  unlisted: z.boolean().optional(),
});

const containerTarget = z.object({
  kind: z.literal('container'),
  name: z.string(),
  ...where,
});

const projectTarget = containerTarget.extend({ kind: z.literal('project') });

const cdnTarget = z.object({ kind: z.literal('cdn'), name: z.literal('CDN account'), labels });

const cdnResourceTarget = z.object({
  kind: z.literal('cdn-resource'),
  name: z.string(),
  resource: z.number().int(),
  labels,
});

const bucketTarget = z.object({
  kind: z.literal('bucket'),
  name: z.string(),
  storage: z.string(),
  bucket: z.string(),
  labels,
});

const storageTarget = z.object({
  kind: z.literal('storage'),
  name: z.literal('storage notifications'),
  labels,
});

const bellhopTarget = z.object({ kind: z.literal('bellhop'), name: z.literal('Bellhop'), labels });

/** For Bellhop's own commands. */
export const itself: BellhopTarget = { kind: 'bellhop', name: 'Bellhop', labels: {} };

/** An entry of `targets` in bellhop.yaml, or the operation's area as a whole. */
const ownTarget = z.object({
  kind: z.literal('own'),
  /** The kind under `targets`, such as `database`, or `area` for an area as a whole. */
  type: z.string(),
  name: z.string(),
  labels,
  /** The entry's other keys as written, with names in place of secrets. */
  settings: z.record(z.string(), z.unknown()),
});

const singleTargets = [
  instanceTarget,
  containerTarget,
  projectTarget,
  cdnTarget,
  cdnResourceTarget,
  bucketTarget,
  storageTarget,
  bellhopTarget,
  ownTarget,
] as const;

const singleTarget = z.discriminatedUnion('kind', singleTargets);

export const severalKind = 'rollout';

/** Changed one after another. */
const severalTargets = z.object({
  kind: z.literal(severalKind),
  name: z.string(),
  labels,
  targets: z.array(singleTarget),
});

export const target = z.discriminatedUnion('kind', [...singleTargets, severalTargets]);

export type Target = Readonly<z.output<typeof target>>;
export type SingleTarget = Readonly<z.output<typeof singleTarget>>;
export type SeveralTargets = Readonly<z.output<typeof severalTargets>>;
export type InstanceTarget = Readonly<z.output<typeof instanceTarget>>;
export type ContainerTarget = Readonly<z.output<typeof containerTarget>>;
export type ProjectTarget = Readonly<z.output<typeof projectTarget>>;
export type BellhopTarget = Readonly<z.output<typeof bellhopTarget>>;
export type CdnTarget = Readonly<z.output<typeof cdnTarget>>;
export type StorageTarget = Readonly<z.output<typeof storageTarget>>;
export type CdnResourceTarget = Readonly<z.output<typeof cdnResourceTarget>>;
export type BucketTarget = Readonly<z.output<typeof bucketTarget>>;
export type OwnTarget = Readonly<z.output<typeof ownTarget>>;

export const isSeveral = (of: Target): of is SeveralTargets => of.kind === severalKind;

export const eachTarget = (of: Target): readonly SingleTarget[] => (isSeveral(of) ? of.targets : [of]);

export const targetNames = (of: Target): readonly string[] => eachTarget(of).map(({ name }) => name);

export const several = (targets: readonly Target[], name: string): SeveralTargets => ({
  kind: severalKind,
  name,
  labels: {},
  targets: targets.flatMap(eachTarget),
});

/** A single target is returned unchanged. */
export const asOne = (targets: readonly Target[], name: string): Target | undefined =>
  targets.length > 1 ? several(targets, name) : targets[0];

export const kindOf = (of: Target): string => (of.kind === 'own' ? of.type : of.kind);

export const accountOf = (of: Target): Account | undefined => ('account' in of ? of.account : undefined);

/** The same key for all names of a target, so that two requests for it conflict. */
export function targetKey(of: Target): string {
  const inAccount = accountOf(of);
  return inAccount ? `${keyWithin(of)}@${inAccount.name}` : keyWithin(of);
}

const keyWithin = (of: Target): string => {
  switch (of.kind) {
    case 'instance':
      return `instance:${of.project}/${of.region}/${canonicalId(of.id)}`;
    case 'container':
      return `container:${of.project}/${of.region}/${of.name}`;
    case 'project':
      return `project:${of.project}/${of.region}`;
    case 'cdn-resource':
      return `cdn-resource:${of.resource}`;
    case 'bucket':
      return `bucket:${of.storage.replaceAll('%', '%25').replaceAll('/', '%2F')}/${of.bucket}`;
    case 'own':
      return `own:${of.type}/${of.name}`;
    case severalKind: {
      const keys = of.targets.map((one) => targetKey(one)).join(' ');
      return `${severalKind}:${createHash('sha256').update(keys).digest('hex')}`;
    }
    case 'cdn':
    case 'storage':
    case 'bellhop':
      return of.kind;
  }
};

/** As given with the command. Overrides the configured defaults. */
export interface Where {
  readonly project?: number | undefined;
  readonly region?: number | undefined;
  /** By name. Undefined means the account of the environment. */
  readonly account?: string | undefined;
}

export type InventoryInstance = Written<typeof instanceEntry>;

/** Instance and container names share no meaning with the service's own names. */
export interface Inventory extends Where {
  readonly regions: Readonly<Record<string, string>>;
  /** By name. `baseUrl` is `https://…` or `local`, and `key` is `secret:name`. */
  readonly accounts?: Written<typeof accounts> | undefined;
  readonly instances: Readonly<Record<string, InventoryInstance>>;
  readonly containers: Readonly<Record<string, Written<typeof containerEntry>>>;
  /** By kind, then by name. Bellhop itself reads only the labels. */
  readonly targets: Written<typeof targets>;
}

/** By name. @param kind `instance`, `container`, or a kind of `targets` */
export function targetsOfKind(
  { instances, containers, targets }: Inventory,
  kind: string,
): Readonly<Record<string, { readonly labels: Readonly<Record<string, string>> }>> {
  if (kind === 'instance') return instances;
  if (kind === 'container') return containers;
  return Object.hasOwn(targets, kind) ? (targets[kind] ?? {}) : {};
}

/** In the order in which names are looked up. */
export const namedKinds = ({ targets }: Inventory): readonly string[] => [
  'instance',
  'container',
  ...Object.keys(targets),
];

export const labelled = (wanted: Readonly<Record<string, string>>, of: Pick<Target, 'labels'>): boolean =>
  Object.entries(wanted).every(
    ([label, value]) => Object.hasOwn(of.labels, label) && of.labels[label] === value,
  );
