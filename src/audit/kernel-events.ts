import { becauseOf, detailsOf, type EventMeaning } from '../model/audit-event.ts';
import type { KernelEvent } from '../model/records/audit.ts';
import { counted } from '../text/words.ts';

type Sentence = EventMeaning['sentence'];

const withReason =
  (verb: string): Sentence =>
  (entry, about) =>
    `${verb} ${about}${becauseOf(entry)}`;
const withDetails =
  (verb: string): Sentence =>
  (entry, about) =>
    `${verb} ${about}${detailsOf(entry)}`;
const withLogin =
  (verb: string): Sentence =>
  ({ login }, about) =>
    login
      ? `${verb} ${about}, signed in at ${login.issuer} as ${login.subject}${asideOf(login.acr)}`
      : `${verb} ${about}`;

const asideOf = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`);

const readSentence: Sentence = ({ count, outcome, error }, about) =>
  `ran ${about}${count === undefined ? '' : `, ${counted(count, 'more time')}`}${outcome === 'failed' ? `, which failed (${error ?? 'no reason given'})` : ''}`;

const settledSentence: Sentence = (entry, about) => {
  const { actor, outcome = 'ended' } = entry;
  return actor === undefined
    ? `settled ${about} as ${outcome}${detailsOf(entry)}`
    : `settled ${about} as “${outcome === 'failed' ? 'did not run' : 'ran'}”${becauseOf(entry)}`;
};

const causes: ReadonlyMap<string, string> = new Map([
  ['unknown-outcome', ''],
  ['rejected', 'the service rejected it'],
  ['not-sent', 'it was not sent'],
]);

const endedSentence: Sentence = ({ outcome = 'ended', note, error = '' }, about) => {
  const cause = note ?? causes.get(error) ?? error;
  const because = cause === '' ? '' : `: ${cause}`;
  if (outcome === 'unknown') return `${about} has an unknown outcome${because}`;
  return `${about} ${outcome === 'done' ? 'is done' : outcome}${because}`;
};

/** The events that the kernel records. */
export const kernelEvents: Readonly<Record<KernelEvent, EventMeaning>> = {
  read: { sentence: readSentence, activity: 'read' },
  denied: {
    sentence: (entry, about) => `was denied ${about}${asideOf(entry.rule)}${detailsOf(entry)}`,
    severity: 'low',
    isFailure: true,
  },
  invalid: {
    sentence: ({ error }, about) =>
      `entered an invalid command${about === '' ? '' : `, ${about}`}${asideOf(error)}`,
    isFailure: true,
  },
  proposed: { sentence: withReason('requested') },
  confirmed: { sentence: withLogin('confirmed') },
  approved: { sentence: withLogin('approved') },
  'denied approval': { sentence: withReason('denied'), severity: 'low' },
  'approvers added': { sentence: withDetails('asked more people to approve') },
  cancelled: { sentence: withDetails('cancelled') },
  superseded: { sentence: (_, about) => `replaced ${about} with a newer request` },
  expired: { sentence: (entry, about) => `${about} expired${detailsOf(entry)}`, isImpersonal: true },
  refused: { sentence: withDetails('refused'), severity: 'low', isFailure: true },
  started: { sentence: withLogin('started'), activity: 'update' },
  ended: { sentence: endedSentence, isImpersonal: true, activity: 'update' },
  settled: { sentence: settledSentence, activity: 'update' },
  'ignored click': {
    sentence: ({ note, count }) =>
      `clicked a button${count === undefined ? '' : ` ${counted(count, 'time')}`}, to no effect${asideOf(note)}`,
    severity: 'low',
    isFailure: true,
  },
  'policy loaded': { sentence: (entry) => `loaded the rules${detailsOf(entry)}`, severity: 'low' },
  'policy rejected': {
    sentence: (entry) => `rejected new rules${detailsOf(entry)}`,
    severity: 'medium',
    isFailure: true,
  },
  'log adopted': { sentence: (entry) => `adopted the audit log${detailsOf(entry)}`, severity: 'medium' },
  'store set back': {
    sentence: ({ note }) => note ?? 'The store was restored.',
    isImpersonal: true,
    severity: 'high',
    isFailure: true,
  },
  paused: { sentence: withDetails('paused'), severity: 'medium' },
  continued: { sentence: withDetails('continued') },
  stopped: { sentence: withDetails('stopped'), severity: 'low' },
  'person forgotten': {
    sentence: (entry) => `replaced a person with a pseudonym${detailsOf(entry)}`,
    severity: 'low',
  },
};
