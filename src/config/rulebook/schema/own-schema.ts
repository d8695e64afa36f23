import { z } from 'zod';

import { name } from './schema-parts.ts';

/** A file of operations. */
export const operationFile = z.string().regex(/^[^\p{C}]{1,400}\.m?[jt]s$/u, {
  error: 'must be the path of a .ts or .js file, such as ./operations/database.ts.',
});

/** Words that mean something else where kinds are named. */
const reservedKinds: ReadonlySet<string> = new Set([
  'instance',
  'container',
  'project',
  'cdn',
  'cdn-resource',
  'bucket',
  'storage',
  'bellhop',
  'own',
  'area',
]);

const kind = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/u, {
    error: 'must be a kind in small letters, digits and -, such as database or load-balancer.',
  })
  .refine((text) => !reservedKinds.has(text), { error: 'is a kind of Bellhop itself: choose another word.' });

const mostOfKind = 10_000;
/** UTF-16 units: it goes with every request about the target. */
const longestSettings = 4000;

/** Named targets by kind: the labels are ours to read, the rest is the operation's. */
export const targetsSchema = (labels: z.ZodRecord<z.ZodString, z.ZodString>) =>
  z.record(
    kind,
    z
      .record(
        name,
        z
          .looseObject({
            labels: labels.default({}).describe('your own labels, `name: value`, for rules'),
          })
          .transform(({ labels: own, ...settings }) => ({ labels: own, settings }))
          .refine(({ settings }) => JSON.stringify(settings).length <= longestSettings, {
            error: `has more than ${longestSettings} characters beside its labels: keep what is long in a file of the operation.`,
          }),
      )
      .refine((listed) => Object.keys(listed).length <= mostOfKind, {
        error: () =>
          `has more than ${mostOfKind.toLocaleString('en-US')} targets: give some of them a Bellhop of their own.`,
      }),
  );
