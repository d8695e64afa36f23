import type { z } from 'zod';

import { ScheduleError } from './shift.ts';

/** What an answer says. @throws ScheduleError where it is not as it should be */
export function readJson<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new ScheduleError('answered with something that cannot be read', { cause: error });
  }
}
