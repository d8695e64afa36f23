import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/**
 * The target of a response_url. A response is posted in the channel unless it names a thread, even if the click was in
 * a thread.
 */
export interface ResponseTarget {
  readonly channel: string;
  readonly user: string;
  /** The message that was clicked, for replace_original and delete_original. */
  readonly original_ts?: string | undefined;
  /** For a command, the previous answer, which `replace_original` replaces. */
  answer_ts?: string | undefined;
}
type Redemption =
  | { readonly ok: true; readonly target: ResponseTarget }
  | { readonly ok: false; readonly error: 'used_url' | 'expired_url' };

/** response_urls: five uses within 30 minutes. */
export interface ResponseUrls {
  /** Path and query on this server. */
  issue(target: ResponseTarget): string;
  redeem(secret: string): Redemption;
}

export function createResponseUrls(clock: Clock, ids: Ids): ResponseUrls {
  const issued = new Map<string, { target: ResponseTarget; at: number; uses: number }>();
  return {
    issue(target) {
      const now = clock.now();
      for (const [secret, { at }] of issued) if (now - at > LIMITS.responseUrlMs) issued.delete(secret);
      const secret = ids.secret();
      issued.set(secret, { target, at: now, uses: 0 });
      return `/response/${secret}`;
    },
    redeem(secret) {
      const url = issued.get(secret);
      if (url === undefined || clock.now() - url.at > LIMITS.responseUrlMs)
        return { ok: false, error: 'expired_url' };
      if (url.uses >= LIMITS.responseUrlUses) return { ok: false, error: 'used_url' };
      url.uses += 1;
      return { ok: true, target: url.target };
    },
  };
}
