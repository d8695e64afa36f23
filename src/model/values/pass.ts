import { z } from 'zod';

import { actor, place } from './actor.ts';

/** As the audit log has it. */
export const login = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** In epoch seconds. */
  auth_time: z.number(),
  acr: z.string().optional(),
});
export type Login = Readonly<z.output<typeof login>>;

const pass = z.object({
  /** Typed into the gate's form. */
  text: z.string().optional(),
  /** Identifies the person across Slack accounts. The request keeps it, so it must not name the person. */
  person: z.string().optional(),
  login: login.optional(),
});

/** By the gate's name. */
const passes = z.record(z.string(), pass);
export type Passes = Readonly<z.output<typeof passes>>;

/** Counts once the person has followed a gate's link. */
export const heldClick = z.object({
  requestId: z.string(),
  /** At the click. Any later step ends the link. */
  version: z.number(),
  action: z.enum(['confirm', 'approve']),
  actor,
  place,
  /** As in Slack at the time of the click. */
  channelName: z.string().optional(),
  /** At earlier gates. */
  passes: passes.optional(),
  correlationId: z.string(),
});
export type HeldClick = Readonly<z.output<typeof heldClick>>;
