import { z } from 'zod';

import { demandKeys, programKeys, sections, skipKeys, sourceKinds } from '../../features/index.ts';
import { role, rule } from '../../model/rulebook/policy-schema.ts';
import { listOf, name } from '../../model/rulebook/schema-parts.ts';
import { kernelFile } from '../../model/rulebook/schema.ts';
import type { Section } from '../../model/section.ts';

/** Each key of a feature follows the key that it belongs to. */
function withSections(own: Section['keys'], place: Section['within']): Section['keys'] {
  const added = Map.groupBy(
    sections.filter(({ within }) => within === place),
    ({ after }) => after,
  );
  const keys = Object.entries(own).flatMap((entry) =>
    [entry].concat((added.get(entry[0]) ?? []).flatMap((section) => Object.entries(section.keys))),
  );
  return Object.fromEntries(keys);
}

const { shape } = kernelFile;
const audit = shape.audit.unwrap();
const announce = shape.announce.unwrap();

const skippers: object = Object.fromEntries(
  skipKeys.map(({ key, description }) => [key, listOf(z.string()).optional().describe(description)]),
);

const ruleKeys: object = Object.fromEntries(
  demandKeys.map(({ key, description }) => [key, z.boolean().optional().describe(description)]),
);

const sourceKeys: object = Object.fromEntries(
  sourceKinds.map(({ key, description }) => [key, z.string().optional().describe(description)]),
);

const programNames = Object.fromEntries(
  programKeys.map(({ key }) => [
    key,
    listOf(z.string())
      .optional()
      .describe(
        `${key} the rule is for, instead of people; it can only \`allow\` reads. Other rules never apply to ${key}`,
      ),
  ]),
);

/** In the schema, the keys for programs come right after `roles`. */
const ruleInOrder: object = Object.fromEntries(
  Object.entries(rule.shape).flatMap((entry) =>
    entry[0] === 'roles' ? Object.entries({ roles: entry[1], ...programNames }) : [entry],
  ),
);

/** As written, with the sections of all features. */
export const rulebookFile = z.strictObject({
  ...withSections(shape, 'file'),
  ...shape,
  roles: z
    .record(name, z.strictObject({ ...role.shape, ...sourceKeys }))
    .default({})
    .describe(shape.roles.description ?? ''),
  rules: z
    .array(z.strictObject({ ...ruleInOrder, ...rule.shape, ...skippers, ...ruleKeys }))
    .default([])
    .describe(shape.rules.description ?? ''),
  audit: z
    .strictObject({ ...withSections(audit.shape, 'audit'), ...audit.shape })
    .prefault({})
    .describe(shape.audit.description ?? ''),
  announce: z
    .strictObject({ ...withSections(announce.shape, 'announce'), ...announce.shape })
    .prefault({})
    .describe(shape.announce.description ?? ''),
});
