import { z } from 'zod';

const number = (what: string) =>
  z
    .number(`${what} is a whole number`)
    .int(`${what} is a whole number`)
    .nonnegative(`${what} is not negative`)
    .max(Number.MAX_SAFE_INTEGER, `${what} is too large`)
    .optional();

/** The options of every cloud operation: they override the defaults of `bellhop.yaml`. */
export const where = {
  project: number('the project').describe('Project id, instead of the configured default.'),
  region: number('the region').describe('Region id, instead of the configured default.'),
};
