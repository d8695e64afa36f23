import { nameOf, numberOption, type ProjectTarget, z } from '../../bellhop/bellhop.ts';
import { isIP } from 'node:net';

import type { InstanceRead } from './client/instance.ts';
import { partText } from './client/pages.ts';

/** Every cloud operation has these options, which override the defaults in `bellhop.yaml`. */
export const where = {
  project: numberOption().describe('Project id, instead of the configured default.'),
  region: numberOption().describe('Region id, instead of the configured default.'),
};

/** Lists may also be from another account. */
export const listWhere = {
  ...where,
  account: nameOf('an account', { most: 64 })
    .optional()
    .describe('Account from bellhop.yaml, instead of the default one.')
    .meta({ extension: 'accounts' }),
};

export const searchOption = (placeholder: string) =>
  z
    .string()
    .trim()
    .min(1, 'is empty')
    .max(255, 'is too long to search for')
    .optional()
    .meta({ positional: true, placeholder });

export const statusOption = (examples: string) =>
  nameOf('a status', { most: 40 }).optional().describe(`Only with this status, such as ${examples}.`);

export const incompleteNote = (listed: number, count: number): string[] =>
  listed < count ? [`This list is incomplete: it has ${partText(listed, count)}.`] : [];

export const regionText = ({
  project,
  region,
  regionName,
  account,
}: Pick<ProjectTarget, 'project' | 'region' | 'regionName' | 'account'>): string => {
  const text = `${regionName === undefined ? `region ${region}` : `${regionName} (${region})`}, project ${project}`;
  return account ? `${text}, account ${account.name}` : text;
};

/** Whether a person has to repair the instance. */
export const isBroken = ({
  status,
  vm_state: state,
}: {
  readonly status?: string | undefined;
  readonly vm_state?: string | undefined;
}): boolean => [status, state].some((each) => each?.toUpperCase() === 'ERROR');

export const tagTexts = (tags: InstanceRead['tags'] = []): readonly string[] =>
  tags.map(({ key = '', value = '' }) => `${key}=${value}`);

/** Returns every address of an instance once, those that others can reach first. */
export function addressesOf({
  fixed_ip_assignments: fixed = [],
  addresses = {},
}: InstanceRead): readonly string[] {
  const assigned = fixed.map(({ external, ip_address: text = '' }) => ({ text, isOuter: external === true }));
  const networks =
    typeof addresses === 'object' && addresses !== null ? Object.values(addresses) : [addresses];
  const all = [...assigned, ...networks.flatMap((network) => addressesIn(network))]
    .toSorted((one, other) => Number(other.isOuter) - Number(one.isOuter))
    .flatMap(({ text }) => addressOf(text) ?? text);
  return [...new Set(all)].filter((text) => text !== '');
}

interface FoundAddress {
  readonly text: string;
  readonly isOuter: boolean;
}

/** The interface leaves the form of `addresses` open. OpenStack lists `{ addr, type }` for each network. */
function addressesIn(value: unknown, isOuter = false, depth = 0): readonly FoundAddress[] {
  if (typeof value === 'string') return addressOf(value) === undefined ? [] : [{ text: value, isOuter }];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  const type: unknown = Reflect.get(value, 'type') ?? Reflect.get(value, 'OS-EXT-IPS:type');
  return Object.entries(value).flatMap(([name, inner]) =>
    ofNetwork.test(name) ? [] : addressesIn(inner, type === 'floating' || isOuter, depth + 1),
  );
}

/** Members with addresses of the network, not of the instance. */
const ofNetwork = /gateway|mask|cidr|broadcast|dns/iu;

/** An address may have the length of its prefix. */
const addressOf = (text: string): string | undefined => canonicalAddress(text.replace(/\/\d{1,3}$/u, ''));

const mappedIpv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/u;

/** Returns a normalized address such as `2001:db8::7`; undefined for other text. */
export function canonicalAddress(text: string): string | undefined {
  const bare = /^\[(.*)\]$/u.exec(text)?.[1] ?? text;
  const version = isIP(bare);
  if (version === 0 || bare.includes('%')) return undefined;
  if (version === 4) return bare;
  const canonical = URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1);
  const [, high, low] = mappedIpv4.exec(canonical ?? '') ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, other >> 8, other & 255].join('.');
}

/**
 * Explains unclear values of `status` and `vm_state`. No label uses the word for a request's state, because on a card
 * that word means the request.
 */
const labels: Readonly<Record<string, string>> = {
  BUILD: 'being created',
  HARD_REBOOT: 'power being cycled',
  PASSWORD: 'password being changed',
  REBUILD: 'disk being rewritten',
  RESCUE: 'booted from a rescue image',
  RESIZE: 'flavor being changed',
  REVERT_RESIZE: 'resize being undone',
  SHELVED: 'stopped and kept as an image',
  SHELVED_OFFLOADED: 'shelved, off its host',
  SHUTOFF: 'stopped',
  SOFT_DELETED: 'deleted, can be restored',
  VERIFY_RESIZE: 'resized, to be confirmed',
  rescued: 'booted from a rescue image',
  resized: 'to be confirmed',
  shelved: 'kept as an image',
  shelved_offloaded: 'off its host',
  'soft-deleted': 'can be restored',
};

/** Returns a status with its meaning: `SHUTOFF (stopped)`. Other values are unchanged. */
export const statusText = (value: string): string =>
  Object.hasOwn(labels, value) ? `${value} (${labels[value] ?? ''})` : value;
