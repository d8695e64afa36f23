import { z } from 'zod';

import { instanceId, isPlainAddress, label, name, secretReference } from './schema-parts.ts';

/** The service numbers projects and regions with integers. */
export const number = z.int().min(1);

export const region = z.string().regex(/^\d{1,15}$/u, { error: 'must be the number of a region.' });

export const labels = z.record(label, label);

const account = z
  .strictObject({
    base_url: z
      .string()
      .max(2000)
      .refine((text) => text === 'local' || isPlainAddress(text), {
        error:
          'must be an https:// address, such as https://api.eu.example.com, without a user, “?” or “#”; http:// only for this machine.',
      })
      .describe('its URL, `https://…`; `local` simulates it'),
    key: secretReference.describe('`secret:name` of its API key; `new,old` while you rotate it'),
  })
  .transform(({ base_url: baseUrl, key }) => ({ baseUrl, key }));

export const accounts = z.record(name, account).refine((listed) => Object.keys(listed).length <= 20, {
  error: 'has more than 20 accounts.',
});

const accountName = name.optional().describe('one of the `accounts`, if not the default');

const where = {
  project: number.optional().describe('its project, if not the default'),
  region: number.optional().describe('its region, if not the default'),
  account: accountName,
  labels: labels.default({}).describe('labels for rules, `name: value`'),
};

export const instanceEntry = z.strictObject({ id: instanceId.describe('its id at the service'), ...where });

export const containerEntry = z.strictObject(where);

export const operationFile = z.string().regex(/^[^\p{C}]{1,400}\.m?[jt]s$/u, {
  error: 'must be the path of a .ts or .js file, such as ./operations/database.ts.',
});

/** These can't name a kind of target, because they mean something else in the same places. */
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
    error: 'must be a kind in lower-case letters, digits and -, such as database or load-balancer.',
  })
  .refine((text) => !reservedKinds.has(text), { error: 'is built in. Choose another word.' });

export const targetsFile = z.string().regex(/^[^\p{C}]{1,400}\.json$/u);

const maxOfKind = 10_000;
/** In UTF-16 units. Limited, because the settings are stored with every request about the target. */
const longestSettings = 4000;

/** By kind, then name. Bellhop reads the labels. The other keys are for the operation. */
export const targets = z
  .record(
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
            error: `has more than ${longestSettings} characters, not counting its labels. Move long values into the operation's file.`,
          }),
      )
      .refine((listed) => Object.keys(listed).length <= maxOfKind, {
        error: () =>
          `has more than ${maxOfKind.toLocaleString('en-US')} targets. Run a second Bellhop for some of them.`,
      }),
  )
  .meta({ orFile: '\\.json$' });
