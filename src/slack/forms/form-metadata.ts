import { z } from 'zod';

import { place } from '../../core/model/actor.ts';
import { limits } from '../render/limits.ts';

/**
 * What a form remembers of where it was asked for. It travels through the client: a hint, checked again like anything a
 * person types, never a permission.
 */
export const formMetadata = z.object({
  operation: z.string().max(100),
  place,
  /** The earlier request that the form is filled in from. */
  source: z.string().max(64).optional(),
  /** Given with the command that opened the form. */
  breakGlass: z.string().max(500).optional(),
  /** To answer privately where the form was asked for. */
  responseUrl: z.string().max(1_000).optional(),
});
export type FormMetadata = Readonly<z.output<typeof formMetadata>>;

/** As `private_metadata`; what is not vital is left out where it does not fit. */
export function writeFormMetadata(metadata: FormMetadata): string {
  const whole = JSON.stringify(metadata);
  if (whole.length <= limits.privateMetadata) return whole;
  return JSON.stringify({ ...metadata, responseUrl: undefined });
}

/** Undefined where it is not ours. */
export function readFormMetadata(text: string): FormMetadata | undefined {
  try {
    return formMetadata.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
