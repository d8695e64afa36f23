import type { z } from 'zod';

/** Reasons by field, like `{ "folders[0].bucket": ["is required for s3"] }`. */
export type FieldReasons = Readonly<Record<string, readonly string[]>>;

/** A call that the service refuses, with the status it answers and the reason. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  readonly fields: FieldReasons | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    more: { fields?: FieldReasons; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.fields = more.fields;
    this.headers = more.headers ?? {};
  }
}

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) =>
      typeof step === 'number' ? `[${String(step)}]` : `${index ? '.' : ''}${String(step)}`,
    )
    .join('');

const reasonText = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  return issue.message.replace(/^Invalid (input|option): /, '');
};

const fieldReasons = (issue: z.core.$ZodIssue): [field: string, reason: string][] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => [pathText([...issue.path, key]), 'is not a field of this request'])
    : [[pathText(issue.path), reasonText(issue)]];

/** The 400 that names each invalid field. */
export const invalidInput = (issues: readonly z.core.$ZodIssue[]): Failure => {
  const fields: Record<string, string[]> = {};
  for (const [field, reason] of issues.flatMap(fieldReasons)) {
    (fields[field || 'body'] ??= []).push(reason);
  }
  const message = Object.entries(fields)
    .map(([field, reasons]) => `${field}: ${reasons.join(', ')}`)
    .join('; ');
  return new Failure(400, message, { fields });
};
