import type { z } from 'zod';

import type { ActCommand } from '../model/act.ts';
import type { Operation } from '../model/operation.ts';
import type { Context } from '../model/ports.ts';
import type { ReportParts } from '../model/values/report.ts';
import { operation } from './operation.ts';

interface Declared<S extends z.ZodObject>
  extends
    Pick<Operation<S>, 'name' | 'summary' | 'input' | 'examples'>,
    Partial<Pick<Operation<S>, 'target' | 'synonyms' | 'offeredWith'>> {
  /** Does a command, writes its audit entries, and resolves to the answer. @throws BellhopError */
  readonly act: (input: z.output<S>, command: ActCommand, context: Context) => Promise<ReportParts>;
}

/** Declares an operation that Bellhop itself does at once. */
export const atOnce = <S extends z.ZodObject>(declared: Declared<S>): Operation<S> =>
  operation({
    ...declared,
    risk: 'read',
    atOnce: true,
    run: () => Promise.reject(new TypeError(`${declared.name} is done at once`)),
  });
