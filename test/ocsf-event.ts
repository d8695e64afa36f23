import { z } from 'zod';

const text = z.string().min(1);

/**
 * An event of OCSF 1.2.0, class API Activity, as the documentation defines it. Strict, so that nothing else of an entry
 * is written.
 */
export const ocsfEvent = z.strictObject({
  metadata: z.strictObject({
    version: z.literal('1.2.0'),
    product: z.strictObject({ name: z.literal('Bellhop'), vendor_name: z.literal('Bellhop') }),
    log_name: z.literal('audit'),
    /** The hash of the entry, which is the same each time the entry is written. */
    uid: text,
    /** Its number. */
    sequence: z.number().int().positive(),
    event_code: text,
    correlation_uid: text.optional(),
  }),
  /** Epoch milliseconds. */
  time: z.number().int(),
  category_uid: z.literal(6),
  category_name: z.literal('Application Activity'),
  class_uid: z.literal(6003),
  class_name: z.literal('API Activity'),
  activity_id: z.literal([2, 3, 99]),
  activity_name: text,
  type_uid: z.literal([600_302, 600_303, 600_399]),
  severity_id: z.literal([1, 2, 3, 4]),
  severity: z.enum(['Informational', 'Low', 'Medium', 'High']),
  status_id: z.literal([0, 1, 2]),
  status: z.enum(['Unknown', 'Success', 'Failure']),
  status_code: text.optional(),
  status_detail: text.optional(),
  message: text,
  /** How many equal events this one stands for. */
  count: z.number().int().positive().optional(),
  actor: z.strictObject({
    user: z.strictObject({ uid: text, type_id: z.literal(1), org: z.strictObject({ uid: text }) }).optional(),
    /** The place of entries by Bellhop itself. */
    invoked_by: z.literal('Bellhop').optional(),
  }),
  api: z.strictObject({
    operation: text,
    service: z.strictObject({ name: z.literal('Bellhop') }),
    request: z.strictObject({ uid: text }).optional(),
  }),
  src_endpoint: z.strictObject({ svc_name: z.enum(['slack', 'bellhop']), uid: text.optional() }),
  resources: z.array(z.strictObject({ type: text, name: text, uid: text, labels: z.array(text) })).optional(),
  unmapped: z.record(z.string(), z.unknown()),
});
