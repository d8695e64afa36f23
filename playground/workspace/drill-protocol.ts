import { z } from 'zod';

// The protocol between the local workspace's server and its page, for drills and the wire log.

export const serviceFaultSchema = z.object({
  delay_ms: z.number().int().min(0).max(600_000).optional(),
  status: z.number().int().min(200).max(599).optional(),
  hang: z.boolean().optional(),
  reset: z.boolean().optional(),
  /** Answers HTML instead of JSON. */
  html: z.union([z.boolean(), z.string()]).optional(),
  /** Whether the fault strikes after the effect, so that the change happened although the bot cannot know it. */
  after: z.boolean().optional(),
  /** How many times the fault strikes. Unlimited if absent. */
  times: z.number().int().min(1).optional(),
});
export type ServiceFault = z.infer<typeof serviceFaultSchema>;

export const slackDrillsSchema = z.object({
  /** The next payload is delivered this many times more. */
  redeliver: z.number().int().min(0).max(10),
  /** How many of the next payloads lose their ack: the bot does the work, and the person sees a timeout. */
  lose_ack: z.number().int().min(0).max(10),
  /** Every payload reaches the bot this much later. */
  dispatch_delay_ms: z.number().int().min(0).max(10_000),
  /** Web API methods answered with 429; `*` for all. */
  rate_limit: z.array(z.string()),
  /** The Web API answers 503 to everything. */
  web_api_down: z.boolean(),
  /** Scopes of the manifest that the app is not granted. */
  withheld: z.array(z.string()),
});
export type SlackDrills = z.infer<typeof slackDrillsSchema>;

export const scheduleDrillSchema = z.object({
  /** The id of the person whom the calendar at `/schedule.ics` names, or null if it names no one. */
  on_call: z.string().nullable(),
  /** The calendar answers 503. */
  down: z.boolean(),
});
export type ScheduleDrill = z.infer<typeof scheduleDrillSchema>;

const alertDrillSchema = z.object({
  /** Whether a webhook of the app was configured at the start. */
  available: z.boolean(),
  /** The alerts that can be fired, and the instances that they can be about. */
  names: z.array(z.string()),
  instances: z.array(z.string()),
  /** Firing alerts, and alerts whose end could not be delivered. */
  firing: z.array(
    z.object({
      alertname: z.string(),
      instance: z.string(),
      resolved: z.boolean(),
      /** The problem of the last delivery to the app, "" without one. */
      problem: z.string(),
    }),
  ),
  /** The alerts of the storm, how many have not been sent yet, and how many the app refused. */
  storm: z.object({ total: z.number().int(), waiting: z.number().int(), refused: z.number().int() }),
});
export type AlertDrill = z.infer<typeof alertDrillSchema>;

const agentDrillSchema = z.object({
  /** Whether an agent of the app was configured at the start. */
  available: z.boolean(),
  /** Its steps since the last press. Times are epoch milliseconds. */
  steps: z.array(z.object({ at: z.number(), text: z.string() })),
});
export type AgentDrill = z.infer<typeof agentDrillSchema>;

const stolenSessionDrillSchema = z.object({
  /** Whether a person was configured whose session can be stolen. */
  available: z.boolean(),
  running: z.boolean(),
  clicks: z.number().int(),
  /** The result, "" before. */
  result: z.string(),
});
export type StolenSessionDrill = z.infer<typeof stolenSessionDrillSchema>;

export const drillsSchema = z.object({
  service: z.object({
    /** Whether a local service was configured at the start, whose faults can be switched here. */
    available: z.boolean(),
    /** Faults that are on, by endpoint. */
    faults: z.record(z.string(), serviceFaultSchema),
  }),
  slack: slackDrillsSchema,
  schedule: scheduleDrillSchema,
  alerts: alertDrillSchema,
  agent: agentDrillSchema,
  stolen: stolenSessionDrillSchema,
});
export type Drills = z.infer<typeof drillsSchema>;

export const wireEntrySchema = z.object({
  id: z.number().int(),
  /** `to-bot`: a payload dispatched; `from-bot`: a call of the Web API or of a response_url. */
  direction: z.enum(['to-bot', 'from-bot']),
  /** Epoch milliseconds. */
  at: z.number(),
  duration_ms: z.number(),
  /** `/cloud`, `block_actions`, `chat.postMessage`, `response_url` … */
  name: z.string(),
  /** HTTP status, 0 if no answer came. */
  status: z.number().int(),
  /** Slack's error or ours, "" if there was none. */
  error: z.string(),
  /** Number of a redelivery, 0 for the first. */
  retry: z.number().int(),
});
export type WireEntry = z.infer<typeof wireEntrySchema>;

/** Secrets are masked and bodies cut to 16 KiB. */
export const wireDetailSchema = wireEntrySchema.extend({ request: z.string(), response: z.string() });
export type WireDetail = z.infer<typeof wireDetailSchema>;
