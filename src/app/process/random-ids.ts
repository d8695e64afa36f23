import { randomInt, randomUUID } from 'node:crypto';

import type { Ids } from '../../core/model/ports.ts';
import type { Correlation } from './correlation.ts';

/** Without the letters and digits that are taken for one another, and without vowels that make words. */
const letters = '23456789bcdfghjkmnpqrstvwxz';
const length = 10;

/** Request ids such as `r-7k3m9qpdx2`: 47 bits, so they cannot be guessed within the life of a request. */
export const randomIds = (correlation: Correlation): Ids => ({
  request: () => `r-${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`,
  correlation: () => correlation.current() ?? randomUUID(),
});
