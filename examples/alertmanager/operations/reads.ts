import { operation, z } from 'bellhop';

import { alert, alertmanager, connect, isOn, silenceList, textOf } from './api.ts';

export const alerts = operation({
  name: 'am.alerts',
  summary: 'Show firing alerts.',
  risk: 'read',
  input: z.strictObject({ alertmanager }),
  run: (_input, context) => connect(context).get('/api/v2/alerts?active=true&silenced=true', z.array(alert)),
  report: (firing, { target }) => {
    const loud = firing.filter(({ status }) => status.silencedBy.length === 0);
    const names = [...new Set(loud.map(({ labels }) => labels['alertname'] ?? ''))];
    return {
      title: `Alerts of ${target.name}`,
      tone: loud.length > 0 ? 'bad' : 'good',
      headline: `${firing.length} firing, ${firing.length - loud.length} of them silenced`,
      tables: [
        {
          caption: 'Alerts',
          columns: ['Alert', 'Severity', 'Since', 'Silenced', 'Summary'].map((label) => ({ label })),
          rows: firing.map(({ labels, annotations, startsAt, status }) => [
            labels['alertname'] ?? '',
            labels['severity'] ?? '',
            { at: Date.parse(startsAt) },
            status.silencedBy.length > 0 ? 'yes' : '',
            annotations['summary'] ?? annotations['description'] ?? '',
          ]),
        },
      ],
      next: names
        .filter((name) => /^\w{1,60}$/u.test(name))
        .slice(0, 3)
        .map((name) => ({
          text: `Silence ${name}…`,
          words: `/am silence ${target.name} ${name} --for 2h`,
          severity: 'change' as const,
        })),
    };
  },
});

export const silences = operation({
  name: 'am.silences',
  summary: 'Show active and pending silences.',
  risk: 'read',
  input: z.strictObject({ alertmanager }),
  run: (_input, context) => connect(context).get('/api/v2/silences', silenceList),
  report: (all, { target }) => ({
    title: `Silences on ${target.name}`,
    headline: `${all.filter(isOn).length} active or pending`,
    tables: [
      {
        caption: 'Silences',
        columns: ['Id', 'Alerts with', 'Until', 'By', 'Comment'].map((label) => ({ label })),
        rows: all
          .filter(isOn)
          .map((one) => [
            one.id,
            one.matchers.map(textOf).join(', '),
            { at: Date.parse(one.endsAt) },
            one.createdBy,
            one.comment,
          ]),
      },
    ],
    notes: [`/am expire ${target.name} <id> ends a silence.`],
  }),
});
