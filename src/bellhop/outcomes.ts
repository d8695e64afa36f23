import { BellhopError } from '../model/errors.ts';

/** UTF-16 units of what is shown to people. */
const longest = 1000;

const said = (text: unknown): string => String(text).slice(0, longest);

/** For `run` to throw: the service refused, so that nothing was done. The text says why, and what to do. */
export const refused = (text: string): Error => new BellhopError('rejected', said(text));

/** For `run` to throw: nothing was sent. The text says why, and what to do. */
export const notSent = (text: string): Error => new BellhopError('not-sent', said(text));
