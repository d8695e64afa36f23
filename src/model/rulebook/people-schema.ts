import { z } from 'zod';

import { nameOnSchedule } from '../../text/words.ts';
import { member } from './schema-parts.ts';

/** An e-mail address, an id, or text of the calendar. */
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

/** As on a schedule, so that case does not matter. */
export const peopleByName = (people: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(people).map(([called, user]) => [nameOnSchedule(called), user]));
