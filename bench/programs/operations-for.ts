import { z } from 'zod';

import { operation, type Operation } from '../../src/core/model/operation.ts';

const itself = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;

/** `count` operations that look at something at once: `/bench op-1 x`, `/bench op-2 x` … */
export const operationsFor = (count: number): readonly Operation[] =>
  Array.from({ length: count }, (_, index) =>
    operation({
      name: `bench.op-${index + 1}`,
      summary: 'Look at something.',
      risk: 'read',
      input: z.strictObject({
        name: z.string().describe('What to look at.').meta({ positional: true, placeholder: 'x' }),
      }),
      examples: [`/bench op-${index + 1} x`],
      target: () => itself,
      run: ({ name }) => Promise.resolve(name),
      report: (name) => ({ title: 'Bench', headline: `Looked at ${name}` }),
    }),
  );
