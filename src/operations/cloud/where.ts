import { z } from 'zod';

const number = () => {
  const takes = 'takes a whole number, 0 or more';
  return z.number(takes).int(takes).nonnegative(takes).optional();
};

/** The options of every cloud operation: they override the defaults of `bellhop.yaml`. */
export const where = {
  project: number().describe('Project id, instead of the configured default.'),
  region: number().describe('Region id, instead of the configured default.'),
};
