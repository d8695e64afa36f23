import { operation, refused, z } from 'bellhop';

import {
  alert,
  alertmanager,
  connect,
  filterOf,
  isOn,
  keyOf,
  matcherOf,
  type Silence,
  silence,
  silenceList,
  titleOf,
} from './api.ts';

export { alerts, silences } from './reads.ts';

const matchers = z
  .array(z.string().trim().min(1).max(300))
  .min(1, 'needs the name of an alert, or label=value')
  .max(20)
  .describe('The name of an alert, or conditions such as job=api, env!=test or instance=~"web-.*".')
  .meta({ positional: true, itemsMayContainCommas: true, placeholder: 'HighLatency' });

const minutes = { m: 1, h: 60, d: 24 * 60 } as const;
const duration = /^([1-9][0-9]{0,2})([mhd])$/u;

function millisecondsOf(text: string): number {
  const [, count = '', unit] = duration.exec(text) ?? [];
  return Number(count) * minutes[unit === 'm' || unit === 'h' ? unit : 'd'] * 60_000;
}

/** The ids of the silences that already have exactly these matchers. */
const sameAs = (all: readonly Silence[], key: string): string =>
  all
    .filter((one) => isOn(one) && keyOf(one.matchers) === key)
    .map(({ id }) => id)
    .toSorted()
    .join(', ');

/** The mark by which the silence of a request is found again. */
const commentOf = ({ id, requester }: { readonly id: string; readonly requester: string }): string =>
  `Bellhop for ${requester} (${id})`;

export const silenceAlerts = operation({
  name: 'am.silence',
  summary: 'Silence alerts for a while.',
  actionLabel: 'silence alerts on',
  actionLabelFor: ({ matchers: words }) => {
    const [name, ...more] = Array.isArray(words) ? words.map(String) : [];
    return name !== undefined && more.length === 0 && /^\w{1,28}$/u.test(name)
      ? `silence ${name} on`
      : undefined;
  },
  risk: 'change',
  synonyms: ['mute', 'snooze'],
  input: z.strictObject({
    alertmanager,
    matchers,
    for: z
      .string()
      .regex(/^[1-9][0-9]{0,2}[mhd]$/u, 'must be a duration such as 30m, 2h or 3d')
      .default('2h')
      .describe('How long, such as 30m, 2h or 3d.'),
  }),
  examples: ['/am silence HighLatency --for 2h', '/am silence HighLatency job=api env!=test'],
  effect: ({ matchers: words, for: time }, { name }) =>
    `No one is notified of ${titleOf(words.map(matcherOf))} by ${name} for ${time}.`,
  preview: async ({ matchers: words, for: time }, target, context) => {
    const wanted = words.map(matcherOf);
    const api = connect({ ...context, target });
    const key = keyOf(wanted);
    const same = sameAs(await api.get('/api/v2/silences', silenceList), key);
    const firing = await api.get(`/api/v2/alerts?active=true${filterOf(wanted)}`, z.array(alert));
    return [
      { label: 'Sends', value: 'POST /api/v2/silences', isCall: true, data: same },
      { label: 'Alerts with', value: key, data: JSON.stringify(wanted) },
      { label: 'For', value: time },
      { label: 'Firing now', value: String(firing.length) },
      ...(same === '' ? [] : [{ label: 'Silenced already by', value: same }]),
    ];
  },
  run: async ({ matchers: words, for: time }, context) => {
    const api = connect(context);
    const wanted = words.map(matcherOf);
    const same = sameAs(await api.get('/api/v2/silences', silenceList), keyOf(wanted));
    if (same !== (context.confirmed[0]?.data ?? ''))
      throw refused(
        `The silences for ${titleOf(wanted)} have changed since this was proposed. See /am silences.`,
      );
    const { requester } = context.request;
    return api.send('POST', '/api/v2/silences', {
      json: {
        matchers: wanted,
        startsAt: new Date(context.now).toISOString(),
        endsAt: new Date(context.now + millisecondsOf(time)).toISOString(),
        createdBy: requester,
        comment: commentOf(context.request),
      },
      schema: z.object({ silenceID: z.string() }),
    });
  },
  report: ({ silenceID }, { target, input }) => ({
    title: `Silenced ${titleOf(input.matchers.map(matcherOf))} on ${target.name} for ${input.for}`,
    tone: 'good',
    facts: [{ label: 'Silence', value: silenceID }],
    notes: [`/am expire ${target.name} ${silenceID} ends it.`],
  }),
  tasks: {
    search: async (_input, _period, context) => {
      const all = await connect(context).get('/api/v2/silences', silenceList);
      const ours = all.filter(({ comment }) => comment === commentOf(context.request));
      const tasks = ours.map(({ id, status }) => ({
        id,
        state: 'finished' as const,
        type: 'silence',
        stateName: status.state,
        request: context.request.id,
      }));
      return { tasks, complete: true, named: true };
    },
    finished: ({ name }, input) => `Silenced ${titleOf(input.matchers.map(matcherOf))} on ${name}`,
  },
});

/** The facts of a silence, without the times at which Alertmanager merely stores it again. */
const factOf = (one: Silence) => ({
  label: 'Silence',
  value: `${titleOf(one.matchers)}, ${one.status.state}, by ${one.createdBy}: ${one.comment}`,
  data: JSON.stringify([one.id, one.status.state, keyOf(one.matchers), one.endsAt]),
});

const pathOf = (id: string): string => `/api/v2/silence/${id}`;

export const expire = operation({
  name: 'am.expire',
  summary: 'End a silence, so that its alerts notify again.',
  actionLabelFor: ({ id }) => (typeof id === 'string' ? `expire silence ${id.slice(0, 8)} on` : undefined),
  risk: 'change',
  synonyms: ['unsilence', 'unmute'],
  input: z.strictObject({
    alertmanager,
    id: z
      .uuid('must be the id of a silence, from /am silences')
      .describe('From /am silences.')
      .meta({ positional: true }),
  }),
  examples: ['/am expire f808a847-06ef-4858-b9f3-20cde0de9c42'],
  effect: (_input, { name }) => `The alerts of this silence notify again at once, if they fire on ${name}.`,
  preview: async ({ id }, target, context) => {
    const one = await connect({ ...context, target }).get(pathOf(id), silence);
    if (!isOn(one)) throw refused(`This silence has already expired, on ${one.endsAt}.`);
    return [
      factOf(one),
      { label: 'Ends by itself', value: one.endsAt, parts: [{ at: Date.parse(one.endsAt) }] },
      { label: 'Sends', value: `DELETE ${pathOf(id)}`, isCall: true },
    ];
  },
  run: async ({ id }, context) => {
    const api = connect(context);
    const now = factOf(await api.get(pathOf(id), silence));
    if (now.data !== context.confirmed[0]?.data)
      throw refused(`This silence has changed since this was proposed. Now: ${now.value}.`);
    await api.send('DELETE', pathOf(id));
  },
  report: (_output, { target, input }) => ({
    title: `Silence ${input.id} on ${target.name} has ended`,
    tone: 'good',
  }),
  observe: async (context, { id }) => {
    const { status, endsAt } = await connect(context).get(pathOf(id), silence);
    return { silence: id.slice(0, 8), state: status.state, until: endsAt };
  },
});
