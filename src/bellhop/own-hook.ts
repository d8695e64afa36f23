import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';

import type { MaskText } from '../command/redactor.ts';
import { BellhopError } from '../model/values/errors.ts';

export interface OwnFile {
  /** Masks learnt secrets. A text has to be masked before it is cut, or the first half of a secret stays. */
  readonly mask: MaskText;
  /** Whether the file may reach a service without Bellhop's `http`, so that Bellhop's own errors prove nothing. */
  readonly hasOwnClient?: () => boolean;
  readonly noteOwnClient?: () => void;
}

/** A callback of a file of operations while its code runs, or the file itself while it loads. */
interface OwnHook {
  /** The operation's name, or the path of a file that loads. */
  readonly operation: string;
  readonly hook: string;
  /** The request that the callback runs for, if any. */
  readonly requestId?: string | undefined;
  readonly file: OwnFile;
}

export interface HookFault extends Pick<OwnHook, 'operation' | 'hook' | 'requestId'> {
  /**
   * `caught`: a default took the place of the result. `escaped`: the error reached no caller, as in an unhandled
   * rejection or a timer.
   */
  readonly kind: 'caught' | 'escaped';
  readonly error: unknown;
}

const running = new AsyncLocalStorage<OwnHook>();

/** Reports every fault in files of operations, in this process. */
export const hookFaults = new EventEmitter<{ fault: [HookFault] }>();

/**
 * Runs `work` as code of this hook. `runningHook` then returns the hook in `work`, and in everything that `work`
 * starts.
 */
export const inHook = <T>(hook: OwnHook, work: () => T): T => running.run(hook, work);

export const runningHook = (): OwnHook | undefined => running.getStore();

/** Masks the secrets in the text that the running callback may have learnt. */
export const maskedInHook = (text: string): string => running.getStore()?.file.mask(text) ?? text;

export const noteOwnClient = (): void => running.getStore()?.file.noteOwnClient?.();

/** Reports a fault of the running callback. Returns false if no file of operations is to blame. */
export function reportFault(kind: HookFault['kind'], error: unknown): boolean {
  const hook = running.getStore();
  if (!hook) return false;
  const { operation, hook: name, requestId } = hook;
  hookFaults.emit('fault', { operation, hook: name, requestId, kind, error });
  return true;
}

/** An error by `refused` or `notSent`: the file itself says that its change did nothing. */
export class OwnWord extends BellhopError {}
