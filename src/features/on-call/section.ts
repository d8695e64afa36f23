import { z } from 'zod';

import type { Finding } from '../../model/rulebook/finding.ts';
import { peopleByName, peopleMap } from '../../model/rulebook/people-schema.ts';
import { everAsked, type Policy, type Role } from '../../model/rulebook/rulebook.ts';
import type { Fitting, FittingFile } from '../../model/rulebook/schema.ts';
import { isSafeAddress, secretReference, type Written, written } from '../../model/rulebook/schema-parts.ts';
import { ownSection, rated, valueOf } from '../../model/section.ts';
import { mapValues, readZone, someOf } from '../../text/words.ts';
import { scheduleKind } from './kind.ts';

const address = z
  .string()
  .max(2000)
  .refine(isSafeAddress, { error: 'must be an https:// address without user and password.' });

/** Calendar programs write `webcal:` for `https:`. */
const isCalendarAddress = (text: string): boolean => isSafeAddress(text.replace(/^webcal:/iu, 'https:'));

const calendarAddress = written(
  z
    .string()
    .max(2000)
    .refine(
      (text) => text === 'local' || secretReference.safeParse(text).success || isCalendarAddress(text),
      { error: 'must be an https:// address, or secret:name if the address is a secret.' },
    ),
);

const timeZone = z.string().refine((name) => readZone(name) !== undefined, {
  error: 'must be an IANA time zone, such as Europe/Berlin.',
});

const foreignId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u, { error: 'must be an id: letters, digits, - and _.' });

const pagerduty = z.strictObject({
  schedule: foreignId.describe("the schedule's id, `P…`; an escalation policy must use the schedule"),
  level: z.int().min(1).max(100).default(1).describe('the escalation level whose people are on call'),
  token: secretReference.describe('`secret:name` of a read-only REST API key'),
  url: address
    .prefault('https://api.pagerduty.com')
    .describe('URL of the REST API; `https://api.eu.pagerduty.com` in the EU'),
});

const jsm = z.strictObject({
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
      .describe("for `ical`: zone of all-day events and times without a zone; default: the calendar's"),
    pagerduty: pagerduty.optional().describe('a schedule of PagerDuty'),
    jsm: jsm.optional().describe('a schedule of Jira Service Management'),
    match: z
      .union([z.literal('email'), peopleMap], {
        error: 'must be “email”, or a map such as { alice@example.com: U0ALICE }.',
      })
      .optional()
      .describe(
        '`email` looks people up in Slack by e-mail address if `people` does not list them (scope `users:read.email`); or a map like `people`, for this schedule only',
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

const keys = {
  schedules: z
    .record(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/u, {
        error: 'must be a name of at most 40 letters, digits, spaces, - and _.',
      }),
      schedule,
    )
    .refine((all) => Object.keys(all).length <= maxSchedules, {
      error: `has more than ${maxSchedules} schedules.`,
    })
    .default({})
    .describe('[who is on call](policy.md#who-is-on-call), at most 20 schedules'),
};

type WrittenSchedules = z.output<typeof keys.schedules>;

/** A `secret:name` in place of a token or address is resolved at each poll. */
export type ScheduleSource =
  | { readonly kind: 'ical'; readonly address: string; readonly timeZone?: string | undefined }
  | ({ readonly kind: 'pagerduty' } & Written<typeof pagerduty>)
  | ({ readonly kind: 'jsm' } & Written<typeof jsm>);

export interface Schedule {
  readonly source: ScheduleSource;
  /** Slack user ids, `U…`, by the people's names on the schedule, in lower case. */
  readonly people: Readonly<Record<string, string>>;
  /** Whether people who are not listed are looked up in Slack by e-mail address. */
  readonly byEmail: boolean;
}

export type Schedules = Readonly<Record<string, Schedule>>;

export const schedulesSection = ownSection('schedules', {
  within: 'file',
  after: 'roles',
  keys,
  value: ({ schedules }, { people }): Schedules =>
    mapValues(schedules, (one) => {
      const own = typeof one.match === 'object' ? one.match : {};
      const known = { ...peopleByName(people), ...peopleByName(own) };
      return { source: sourceOf(one), people: known, byEmail: one.match === 'email' };
    }),
  mistakes: ({ schedules }, { file }) => mistakesIn(schedules, file),
  secrets: (schedules) =>
    Object.entries(schedules).map(([name, { source }]) => ({
      path: ['schedules', name] as const,
      at: 'key' as const,
      reference: source.kind === 'ical' ? source.address : source.token,
      without: "Bellhop can't tell who is on call",
    })),
  warnings: (schedules, { policy }, { unusable }) => [
    ...rated('warning', [...onlyOnCall(policy), ...idle(schedules, policy)]),
    ...(unusable === undefined ? [] : rated(unusable, local(schedules))),
  ],
});

function sourceOf({ ical, pagerduty: pd, jsm: jira, time_zone }: WrittenSchedules[string]): ScheduleSource {
  if (pd) return { kind: 'pagerduty', ...pd };
  if (jira) return { kind: 'jsm', ...jira };
  return { kind: 'ical', address: ical ?? '', timeZone: time_zone };
}

function* mistakesIn(
  schedules: Fitting<WrittenSchedules> = {},
  { roles = {}, people = {} }: FittingFile,
): Generator<Finding> {
  const known = Object.keys(schedules);
  for (const [role, listed = {}] of Object.entries(roles)) {
    const typed = valueOf(listed, scheduleKind.key);
    if (typeof typed === 'string' && !known.includes(typed))
      yield {
        path: ['roles', role, scheduleKind.key],
        text: `the schedule “${typed.slice(0, 60)}” is not defined under schedules.`,
        misspelt: { typed, known },
      };
  }
  for (const [name, { match = {} } = {}] of Object.entries(schedules))
    if (match !== 'email' && Object.keys(match).length + Object.keys(people).length === 0)
      yield {
        path: ['schedules', name],
        at: 'key',
        text: 'lists no one known in Slack. Set “match: email”, or list people: { alice@example.com: U0ALICE }.',
      };
}

/** Under these rules, no one can approve while the only person on call is the requester, or while the schedule does not answer. */
const onlyOnCall = ({ rules, roles }: Policy): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    if (rule.effect !== 'approve' || !everAsked(rule).every((name) => hasOnlySchedule(roles[name])))
      return [];
    const text =
      `only people on call may approve (${someOf(rule.approvers)}). No one can approve if the person on call is the requester, ` +
      'or while the schedule does not answer. Add a role with other people.';
    return [{ path: ['rules', index, 'approvers'], text }];
  });

const hasOnlySchedule = (role: Role | undefined): boolean =>
  role?.sources?.length === 1 && role.users.length + role.usergroups.length === 0;

function idle(schedules: Schedules, { roles }: Policy): readonly Finding[] {
  const used = new Set(Object.values(roles).flatMap(({ sources = [] }) => sources.map(({ name }) => name)));
  return Object.keys(schedules)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['schedules', name],
      at: 'key',
      text: `is not used by any role. To use it: roles: { oncall: { schedule: ${name} } }.`,
    }));
}

/** The calendar of the playground exists only with the local workspace. */
const local = (schedules: Schedules): readonly Finding[] =>
  Object.entries(schedules)
    .filter(([, { source }]) => source.kind === 'ical' && source.address === 'local')
    .map(([name]) => ({
      path: ['schedules', name, 'ical'],
      text: "“local” is the playground's calendar, which does not exist here. Use your own calendar's https:// address, or remove the schedule.",
    }));
