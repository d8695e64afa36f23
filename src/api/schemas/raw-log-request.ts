import { z } from 'zod';
import { raise } from './field-issue.ts';
import { rawLogSettingsIssues, type StoredSecrets } from './raw-log-rules.ts';
import { rawLogSettings } from './raw-log-settings.ts';

/** Takes the fields out that are "": not used, or missing where they are required. */
const withoutEmptyFields = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
    : body;

/**
 * The body of `updateRawLogSettings`, as strict as the interface; a field that is "" counts as left out. A full
 * replace, except that a secret which is left out keeps what is stored. `stored` says which are, or 'unknown' for a
 * client, which cannot know: then no secret is required.
 */
export const rawLogSettingsRequest = (stored: StoredSecrets) =>
  z.preprocess(
    withoutEmptyFields,
    rawLogSettings.check((context) => {
      raise(context, rawLogSettingsIssues(context.value, stored));
    }),
  );
