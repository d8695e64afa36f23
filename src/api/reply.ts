import type { z } from 'zod';
import { BellhopError } from '../core/model/errors.ts';
import type { Accepted } from './accepted.ts';
import type { LenientSchema } from './schemas/lenient/lenient.ts';

/** What the service answered, as far as it could be read. */
export interface Reply<Value> {
  readonly value: Value;
  /** One line for each field that did not fit, such as `results[0].flavor.ram: expected integer`. */
  readonly problems: readonly string[];
  /** The HTTP status, 2xx. */
  readonly status: number;
}

export function readReply<Value>(
  accepted: Accepted,
  schema: LenientSchema<Value>,
  json: unknown,
): Reply<Value> {
  return { ...schema.read(json), status: accepted.status };
}

/**
 * A request as the interface takes it.
 * @throws BellhopError `bad-input` that names each field which does not fit; nothing is sent then.
 */
export function checkedRequest<Value>(schema: z.ZodType<Value>, request: unknown): Value {
  const checked = schema.safeParse(request);
  if (checked.success) return checked.data;
  const fields = checked.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new BellhopError('bad-input', `${fields.join('; ')}. Nothing was sent.`);
}
