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
  /** That is the URL of a command. */
  ofCommand: z.boolean().optional(),
  /** Its card begins the thread. */
  opensThread: z.boolean().optional(),
});
/** Of the form of an operation. */
export type OperationFormMetadata = Readonly<z.output<typeof operationForm>>;

/** Of the choice of what to run on what a message names. */
const choiceForm = z.object({
  /** What the message names, in order. */
  targets: z.array(z.string().max(150)).max(10),
  place,
  responseUrl: z.string().max(1_000).optional(),
  opensThread: z.boolean().optional(),
});
export type ChoiceFormMetadata = Readonly<z.output<typeof choiceForm>>;

/** Of a form about one request: to review it, to type its target's name, to say why it is denied, or to close its review. */
const requestForm = z.object({
  requestId: z.string().max(64),
  place,
  /** Of the private list that it was opened from. */
  responseUrl: z.string().max(1_000).optional(),
});

/**
 * What a form of ours remembers of where it was opened, in its `private_metadata`. It travels through the client: a hint,
 * checked again like anything a person types, never a permission.
 */
const formMetadata = z.union([operationForm, choiceForm, requestForm]);
export type FormMetadata = Readonly<z.output<typeof formMetadata>>;

/** As `private_metadata`; what is not vital is left out where it does not fit. */
export function writeFormMetadata(metadata: FormMetadata): string {
  const whole = JSON.stringify(metadata);
  if (whole.length <= limits.privateMetadata) return whole;
  return JSON.stringify({ ...metadata, responseUrl: undefined });
}

/** Undefined where it is not ours. */
export const readFormMetadata = (text: string): FormMetadata | undefined =>
  formMetadata.safeParse(parseJson(text)).data;
