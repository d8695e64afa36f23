import { z } from 'zod';

import { nameOnSchedule, readZone } from '../../text/words.ts';
import { isSafeAddress, member, secretReference } from './schema-parts.ts';

/** A person's name on a schedule is an e-mail address, an id, or text of the calendar. */
const calledBy = z.string().trim().min(1).max(320);

/** Slack ids by the people's names in schedules and in the login. */
export const peopleMap = z.record(calledBy, member).superRefine((written, context) => {
  const names = new Set<string>();
  for (const called of Object.keys(written)) {
    const name = nameOnSchedule(called);
    if (names.has(name))
      context.addIssue({
        code: 'custom',
        path: [called],
        message: 'is a duplicate that differs only in case. Remove one.',
      });
    names.add(name);
  }
});

/** By name as on a schedule, so that case does not matter. */
export const peopleByName = (people: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(people).map(([called, user]) => [nameOnSchedule(called), user]));

const address = z
  .string()
  .max(2000)
  .refine(isSafeAddress, { error: 'must be an https:// address without user and password.' });

/** Calendar programs write `webcal:` for `https:`. */
const isCalendarAddress = (text: string): boolean => isSafeAddress(text.replace(/^webcal:/iu, 'https:'));

const calendarAddress = z
  .string()
  .max(2000)
  .refine((text) => text === 'local' || secretReference.safeParse(text).success || isCalendarAddress(text), {
    error: 'must be an https:// address, or secret:name if the address is a secret.',
  });

const timeZone = z.string().refine((name) => readZone(name) !== undefined, {
  error: 'must be an IANA time zone, such as Europe/Berlin.',
});

const foreignId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u, { error: 'must be an id: letters, digits, - and _.' });

export const pagerduty = z.strictObject({
  schedule: foreignId.describe("the schedule's id, `P…`, which an escalation policy must use"),
  level: z.int().min(1).max(100).default(1).describe('the escalation level whose people are on call'),
  token: secretReference.describe('`secret:name` of a read-only REST API key'),
  url: address
    .prefault('https://api.pagerduty.com')
    .describe('URL of the REST API; `https://api.eu.pagerduty.com` in the EU'),
});

export const jsm = z.strictObject({
  cloud: foreignId.describe("the site's cloud id"),
  schedule: foreignId.describe("the schedule's id"),
  user: z
    .email({ error: 'must be an e-mail address.' })
    .max(320)
    .describe("e-mail address of the token's account"),
  token: secretReference.describe('`secret:name` of an API token'),
  url: address.prefault('https://api.atlassian.com').describe('URL of the API'),
});

const kinds = ['ical', 'pagerduty', 'jsm'] as const;

const schedule = z
  .strictObject({
    ical: calendarAddress
      .optional()
      .describe("the URL of an iCalendar, `https://…`, or its `secret:name`; `local` is the playground's"),
    time_zone: timeZone
      .optional()
      .describe("for `ical`: zone of all-day events and times without one; default: the calendar's"),
    pagerduty: pagerduty.optional().describe('a schedule of PagerDuty'),
    jsm: jsm.optional().describe('a schedule of Jira Service Management'),
    match: z
      .union([z.literal('email'), peopleMap], {
        error: 'must be “email”, or a map such as { alice@example.com: U0ALICE }.',
      })
      .optional()
      .describe(
        '`email` looks up in Slack, by e-mail address, whom `people` does not list (scope `users:read.email`); or a map like `people`, for this schedule only',
      ),
  })
  .superRefine((given, context) => {
    const chosen = kinds.filter((kind) => given[kind] !== undefined);
    if (chosen.length !== 1)
      context.addIssue({ code: 'custom', message: 'needs exactly one of “ical”, “pagerduty” or “jsm”.' });
    if (given.jsm && given.match === 'email')
      context.addIssue({
        code: 'custom',
        path: ['match'],
        message: 'works with ical and pagerduty. Jira uses Atlassian account ids, which need a map.',
      });
  });

/** Each schedule is polled every minute. */
const maxSchedules = 20;

export const schedules = z
  .record(
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/u, {
      error: 'must be a name of at most 40 letters, digits, spaces, - and _.',
    }),
    schedule,
  )
  .refine((all) => Object.keys(all).length <= maxSchedules, {
    error: `has more than ${maxSchedules} schedules.`,
  });
