/** A payload on its way to the app. */
export interface Delivery {
  readonly kind: 'slash_commands' | 'interactive' | 'events_api';
  /** Its name in the wire log: `/cloud`, `block_actions`, `app_home_opened`. */
  readonly name: string;
  /** The payload itself, as a Socket Mode envelope carries it. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Redelivery {
  readonly number: number;
  readonly reason: RetryReason;
}
export type RetryReason = 'http_timeout' | 'http_error' | 'connection_failed';

/** The app's answer. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly noRetry: boolean;
}

/** A way to the app: HTTP or an open WebSocket. Rejects when it cannot be reached or `signal` aborts. */
export type Carrier = (
  delivery: Delivery,
  retry: Redelivery | undefined,
  signal: AbortSignal,
) => Promise<Answer>;

/** The body and content type with which Slack sends a payload over HTTP. */
export function httpBody({ kind, payload }: Delivery): { body: string; contentType: string } {
  if (kind === 'events_api') return { body: JSON.stringify(payload), contentType: 'application/json' };
  const fields = kind === 'interactive' ? { payload: JSON.stringify(payload) } : stringFields(payload);
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
}

function stringFields(payload: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, String(value)]));
}
