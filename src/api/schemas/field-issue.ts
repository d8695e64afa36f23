import type { z } from 'zod';

/** What is wrong with one field of a body, with the field's path. */
export type FieldIssue = z.core.$ZodIssueCustom;

/** An issue with the field at this path. The message does not repeat the field's name. */
export const fieldIssue = (path: PropertyKey[], message: string): FieldIssue => ({
  code: 'custom',
  path,
  message,
});

/** Adds these issues to a parse that is under way. */
export const raise = (context: z.core.ParsePayload, issues: readonly FieldIssue[]): void => {
  for (const issue of issues) context.issues.push({ ...issue, input: context.value });
};
