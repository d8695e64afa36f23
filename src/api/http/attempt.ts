/** Lower-case names. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One complete HTTP response, whatever its status. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

export type NoResponseReason =
  | 'connection'
  | 'first-byte-timeout'
  | 'deadline'
  | 'cancelled'
  | 'too-large'
  | 'not-http'
  | 'invalid'
  | 'closed'
  | 'lease-lost'
  | 'breaker-open'
  | 'busy';

/** No complete response. */
export interface NoResponse {
  readonly kind: 'no-response';
  /** False only where it is certain that not one byte of the request left. */
  readonly sent: boolean;
  readonly reason: NoResponseReason;
  /** Of a response whose body broke off. */
  readonly status?: number | undefined;
  /** What the network layer said, such as ECONNREFUSED. */
  readonly code?: string | undefined;
}

export type Attempt = Answer | NoResponse;
