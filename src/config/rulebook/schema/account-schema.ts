import { z } from 'zod';

import { name, secretReference } from './schema-parts.ts';
import { isSafeAddress } from './schedule-schema.ts';

const account = z.strictObject({
  base_url: z
    .string()
    .max(2000)
    .refine((text) => text === 'local' || (isSafeAddress(text) && !/[?#]/u.test(text)), {
      error:
        'must be an https:// address, such as https://api.eu.example.com, without a user, “?” or “#”; http:// only for this machine.',
    })
    .describe('its address, `https://…`; `local` for a local service of its own'),
  key: secretReference.describe('`secret:name` of its API key; `new,old` while you rotate it'),
});

export const accounts = z.record(name, account).refine((listed) => Object.keys(listed).length <= 20, {
  error: 'has more than 20 accounts.',
});

/** Of a target. */
export const accountName = name
  .optional()
  .describe('its account, of those under `accounts`; default: that of `API_BASE_URL`');
