import { z } from 'zod';

// `describe` would make each schema twice.
const about = z.globalRegistry;

export const text = (description: string) => z.string().register(about, { description });

/** The integer must be within ±2⁵³−1. */
export const integer = (description: string) => z.int().register(about, { description });

export const flag = (description: string) => z.boolean().register(about, { description });

/** The timestamp is in UTC and ends in Z. */
export const utcTimestamp = (description: string) => z.iso.datetime().register(about, { description });

export type FieldIssue = z.core.$ZodIssueCustom;

/** The message does not repeat the field's name. */
export const fieldIssue = (path: PropertyKey[], message: string): FieldIssue => ({
  code: 'custom',
  path,
  message,
});

export const raise = (context: z.core.ParsePayload, issues: readonly FieldIssue[]): void => {
  for (const issue of issues) context.issues.push({ ...issue, input: context.value });
};
