import { z } from 'zod';

export const text = (description: string) => z.string().describe(description);

/** The integer must be within ±2⁵³−1. */
export const integer = (description: string) => z.int().describe(description);

export const flag = (description: string) => z.boolean().describe(description);

/** The timestamp is in UTC and ends in Z. */
export const utcTimestamp = (description: string) => z.iso.datetime().describe(description);

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
