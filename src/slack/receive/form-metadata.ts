import { z } from 'zod';

import { place } from '../../model/actor.ts';
import { parseJson } from '../render/text.ts';
import { limits } from '../render/limits.ts';

const operationForm = z.object({
  operation: z.string().max(100),
  place,
  /** The earlier request that the form is filled in from. */
  source: z.string().max(64).optional(),
  /** Given with the command that opened the form. */
  breakGlass: z.string().max(500).optional(),
  /** To answer privately where the form was opened. */
  responseUrl: z.string().max(1_000).optional(),
  /** The URL belongs to a command. */
  ofCommand: z.boolean().optional(),
  /** Its card starts the thread. */
  opensThread: z.boolean().optional(),
});
/** For the form of an operation. */
export type OperationFormMetadata = Readonly<z.output<typeof operationForm>>;

/** For the choice of “Run on this…”. */
const choiceForm = z.object({
  /** The targets found in the message, in order. */
  targets: z.array(z.string().max(150)).max(10),
  place,
  responseUrl: z.string().max(1_000).optional(),
  opensThread: z.boolean().optional(),
});
export type ChoiceFormMetadata = Readonly<z.output<typeof choiceForm>>;

/** For a form about one request. */
const requestForm = z.object({
  requestId: z.string().max(64),
  place,
  /** Belongs to the private list that it was opened from. */
  responseUrl: z.string().max(1_000).optional(),
});

/**
 * Where a form was opened, kept in its `private_metadata`. It travels through the client, so it is only a hint and is checked
 * like typed input.
 */
const formMetadata = z.union([operationForm, choiceForm, requestForm]);
export type FormMetadata = Readonly<z.output<typeof formMetadata>>;

/** As `private_metadata`; optional parts are dropped if they do not fit. */
export function writeFormMetadata(metadata: FormMetadata): string {
  const whole = JSON.stringify(metadata);
  if (whole.length <= limits.privateMetadata) return whole;
  return JSON.stringify({ ...metadata, responseUrl: undefined });
}

/** Undefined if it is not ours. */
export const readFormMetadata = (text: string): FormMetadata | undefined =>
  formMetadata.safeParse(parseJson(text)).data;
