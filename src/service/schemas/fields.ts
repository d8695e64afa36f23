import { z } from 'zod';

/** A text field and its description. */
export const text = (description: string) => z.string().describe(description);

/** An integer field (within ±2⁵³−1) and its description. */
export const integer = (description: string) => z.int().describe(description);

/** A boolean field and its description. */
export const flag = (description: string) => z.boolean().describe(description);

/** A timestamp in UTC ending in Z. */
export const utcTimestamp = (description: string) => z.iso.datetime().describe(description);

/** What is wrong with one field of a body, with the field's path. */
export type FieldIssue = z.core.$ZodIssueCustom;

/** An issue with the field at this path. The message does not repeat the field's name. */
export const fieldIssue = (path: PropertyKey[], message: string): FieldIssue => ({
  code: 'custom',
  path,
  message,
});

/** Adds these issues to the current parse. */
export const raise = (context: z.core.ParsePayload, issues: readonly FieldIssue[]): void => {
  for (const issue of issues) context.issues.push({ ...issue, input: context.value });
};
