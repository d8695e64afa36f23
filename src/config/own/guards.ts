import { z } from 'zod';

import { inHook, maskedInHook, type OwnFile, reportFault } from '../../bellhop/own-hook.ts';
import { badConfiguration, BellhopError } from '../../model/values/errors.ts';
import { isObject } from '../../text/exact.ts';
import { orUndefined } from '../../text/words.ts';
import { boundText, WrongShape } from './bound-report.ts';

export type Guards = ReturnType<typeof guardsOf>;

export const guardsOf = (operation: string, file: OwnFile) => {
  const within = <T>(hook: string, given: readonly unknown[], work: () => T): T =>
    inHook({ operation, hook, file, requestId: requestIn(given) }, work);
  return {
    /** For a callback that decides nothing. An error is reported, and a default takes the place of the result. */
    safe:
      <Given extends unknown[], T>(
        hook: string,
        call: (...given: Given) => T,
        otherwise: (given: NoInfer<Given>, error: unknown) => NoInfer<T>,
      ) =>
      (...given: Given): T =>
        within(hook, given, () => {
          try {
            return call(...given);
          } catch (error) {
            return otherwise(given, reported(error));
          }
        }),
    /** `explain` turns the errors of the callback into errors for people. */
    sync:
      <Given extends unknown[], T>(hook: string, call: (...given: Given) => T, explain: Explain) =>
      (...given: Given): T =>
        within(hook, given, () => {
          try {
            return call(...given);
          } catch (error) {
            return rethrow(error, explain);
          }
        }),
    strict:
      <Given extends unknown[], T>(hook: string, call: (...given: Given) => Promise<T>, explain: Explain) =>
      (...given: Given): Promise<T> =>
        within(hook, given, () => call(...given).catch((error: unknown) => rethrow(error, explain))),
  };
};

type Explain = (error: unknown) => unknown;

export function reported(error: unknown): unknown {
  reportFault('caught', error);
  return error;
}

/**
 * Rethrows an error that Bellhop made, for example in `http`. The file may have changed the error's text, so the text
 * is masked.
 */
function rethrow(error: unknown, explain: Explain): never {
  const thrown = error instanceof BellhopError ? error : explain(error);
  if (thrown instanceof BellhopError) thrown.message = maskedInHook(thrown.message);
  throw thrown;
}

/** A context names the request that the callback runs for. */
const requestIn = (given: readonly unknown[]): string | undefined =>
  given.flatMap((one) => {
    const request = isObject(one) ? one['request'] : undefined;
    return isObject(request) && typeof request['id'] === 'string' ? [request['id']] : [];
  })[0];

export function declaredOnly<T extends object>(guarded: T, declared: object): T {
  for (const name of Object.keys(guarded))
    if (Reflect.get(declared, name) === undefined) Reflect.deleteProperty(guarded, name);
  return guarded;
}

export const shownText = (value: unknown, longest: number): string => maskedInHook(boundText(value, longest));

/** @throws WrongShape */
export function shaped<T>(schema: z.ZodType<T>, value: unknown, wanted: string): T {
  const { success, data } = schema.safeParse(value);
  if (success) return data;
  throw new WrongShape(`it must return ${wanted}`);
}

/**
 * Whether the error is a mistake in the file, which a retry does not fix. A TypeError with a cause does not count,
 * because `fetch` throws such an error when a call fails.
 */
export const isMistake = (error: unknown): error is Error =>
  (error instanceof TypeError && error.cause === undefined) ||
  error instanceof ReferenceError ||
  error instanceof RangeError ||
  error instanceof SyntaxError ||
  error instanceof WrongShape;

export const mistakeOf =
  (what: string) =>
  (error: unknown): BellhopError =>
    badConfiguration(brokenText(what, error), { cause: error });

export const brokenText = (what: string, error: unknown): string =>
  `${what} is broken: ${messageOf(error)}. Fix its file. The log says where.`;

export const checkFirst = 'It may or may not have happened. Check before you run it again.';

/** Without a full stop, because the surrounding sentence adds one. */
export const messageOf = (error: unknown): string =>
  shownText(wordsIn(error), 300)
    .replaceAll(/\s+/gu, ' ')
    .replace(/(?<![.\s])[.\s]+$/u, '') || 'it does not say why';

const deepestCause = 4;

const reason = z.object({
  message: z.string().catch(''),
  code: z.string().catch(''),
  cause: z.unknown().optional(),
  errors: z.array(z.unknown()).catch([]),
});

/**
 * Returns the messages of an error and of its causes. The message of `fetch` says only that the call failed, and Node's
 * message for a host with several addresses is empty.
 */
function wordsIn(error: unknown, depth = 0): string {
  if (!isObject(error)) return boundText(error, 3000);
  const { message = '', code = '', cause, errors = [] } = orUndefined(() => reason.parse(error)) ?? {};
  const inner = depth < deepestCause ? [cause, ...errors.slice(0, 3)] : [];
  const why = inner.map((one) => wordsIn(one, depth + 1)).filter((one) => !message.includes(one));
  return [message, [...new Set(why)].join(', ')].filter((one) => one !== '').join(': ') || code;
}
