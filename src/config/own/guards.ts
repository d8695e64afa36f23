import { inHook, maskedInHook, type OwnFile, reportFault } from '../../bellhop/own-hook.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { isObject } from '../../text/exact.ts';

export type Guards = ReturnType<typeof guardsOf>;

/** Calls the callbacks of one operation of a file. */
export const guardsOf = (operation: string, file: OwnFile) => {
  const within = <T>(hook: string, given: readonly unknown[], work: () => T): T =>
    inHook({ operation, hook, file, requestId: requestIn(given) }, work);
  return {
    /** A callback that decides nothing. An error is reported, and a default takes the place of the result. */
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
    /** A callback whose error is thrown, as the one that `explain` makes of it. */
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

/** Keeps an error that Bellhop made, such as by `http`. The file may have changed its text, so it is masked, too. */
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
