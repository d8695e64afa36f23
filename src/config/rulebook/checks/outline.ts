import { z } from 'zod';

import { extensions, type Extension } from '../../../model/rulebook.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { nearest } from '../../../command/grammar/nearest.ts';
import { anyone } from '../../../policy/roles.ts';
import { rulebookFile } from '../schema/schema.ts';

/**
 * The parts of `bellhop.yaml` that refer to each other, read so that a mistake in one place hides none elsewhere:
 * what does not fit counts as absent here, and is reported by the schema.
 */
const record = z.record(z.string(), z.unknown()).catch({});
const records = z.array(record).catch([]);
const text = z.string().catch('');
const texts = z.array(text).catch([]);

const known = z.array(z.enum(extensions)).catch([]);
const number = z.int().optional().catch(undefined);
const target = z
  .object({ id: text, project: number, region: number, labels: z.record(z.string(), text).catch({}) })
  .catch({ id: '', labels: {} });

export type Given = z.output<typeof record>;

export interface RoleOutline {
  readonly users: readonly string[];
  /** Has members that the file does not list. */
  readonly open: boolean;
}

export interface Outline {
  readonly roles: ReadonlyMap<string, RoleOutline>;
  /** What a rule may name: these roles and the built-in one. */
  readonly roleNames: readonly string[];
  /** They may stand under a key that is none, which is reported: then names of roles cannot be checked. */
  readonly rolesMisplaced: boolean;
  /** Of each role with one: its schedule, as it is written. */
  readonly roleSchedules: readonly (readonly [role: string, schedule: string])[];
  readonly schedules: Given;
  readonly people: Given;
  readonly instanceIds: readonly (readonly [name: string, id: string])[];
  readonly inventory: Inventory;
  readonly rules: readonly Given[];
  readonly freezes: readonly Given[];
  readonly limits: readonly Given[];
  readonly guards: readonly Given[];
  /** By name, without `secret:`. */
  readonly secrets: Given;
  readonly announce: Given;
  /** By name. */
  readonly hooks: Given;
  readonly extensions: readonly Extension[];
}

export function outline(file: unknown): Outline {
  const given = record.parse(file);
  const parts = withSections(given);
  const roles = Object.entries(record.parse(parts['roles'])).map(([name, role]): [string, RoleOutline] => {
    const members = record.parse(role);
    const open = textsOf(members, 'usergroups').length > 0 || textOf(members, 'schedule') !== '';
    return [name, { users: textsOf(members, 'users'), open }];
  });
  return {
    roles: new Map(roles),
    roleNames: [anyone, ...roles.map(([name]) => name)],
    rolesMisplaced:
      !Object.hasOwn(parts, 'roles') && Object.keys(given).some((key) => !sections.includes(key)),
    roleSchedules: Object.entries(recordOf(parts, 'roles')).map(([name, role]) => [
      name,
      textOf(record.parse(role), 'schedule'),
    ]),
    schedules: recordOf(parts, 'schedules'),
    people: recordOf(parts, 'people'),
    inventory: inventoryOf(parts),
    instanceIds: Object.entries(record.parse(parts['instances'])).map(([name, instance]) => [
      name,
      text.parse(record.parse(instance)['id']),
    ]),
    rules: records.parse(parts['rules']),
    freezes: records.parse(parts['freeze']),
    limits: records.parse(parts['limits']),
    guards: records.parse(parts['guard']),
    secrets: recordOf(parts, 'secrets'),
    announce: record.parse(parts['announce']),
    hooks: recordOf(parts, 'hooks'),
    extensions: known.parse(parts['extensions']),
  };
}

const sections = Object.keys(rulebookFile.shape);

/** A section whose key is misspelt is read as what was meant: that key is reported, what refers to the section is right. */
function withSections(given: Given): Given {
  const meant = Object.entries(given).map(([key, value]) => {
    const section = sections.includes(key) ? key : (nearest(key, sections) ?? key);
    return [Object.hasOwn(given, section) ? key : section, value] as const;
  });
  return Object.fromEntries(meant);
}

function inventoryOf(parts: Given): Inventory {
  const located = (key: string) =>
    Object.entries(recordOf(parts, key)).map(([name, entry]) => [name, target.parse(entry)] as const);
  const { project, region } = target.parse(parts);
  return {
    project,
    region,
    regions: {},
    instances: Object.fromEntries(located('instances')),
    containers: Object.fromEntries(located('containers')),
  };
}

/** The list at a key; a place that holds no text is an empty string, so that indices stay. */
export const textsOf = (of: Given, key: string): readonly string[] => texts.parse(of[key]);

/** The entries of a list at a key. */
export const listOf = (of: Given, key: string): readonly Given[] => records.parse(of[key]);

/** The text at a key, empty where none stands there. */
export const textOf = (of: Given, key: string): string => text.parse(of[key]);

export const recordOf = (of: Given, key: string): Given => record.parse(of[key]);
