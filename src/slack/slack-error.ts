interface SlackErrorDetails {
  /** From `Retry-After`, where Slack sent it. */
  readonly retryAfterSeconds?: number;
  /** The same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** It may have taken effect although it failed: a message can be there. False where Slack refused it outright. */
  readonly sent: boolean;
  /** What Slack says is wrong with which block, for the log. */
  readonly findings?: readonly string[];
  readonly cause?: unknown;
}

/**
 * A call to Slack that failed. `code` is Slack's own (`invalid_blocks`, `channel_not_found`, `ratelimited`), or one of
 * ours: `timeout`, `unreachable`, `http_503`, `unreadable_reply`, `refused_url`.
 */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  readonly retryable: boolean;
  readonly sent: boolean;
  readonly findings: readonly string[];

  constructor(call: string, code: string, details: SlackErrorDetails) {
    super(`${call}: ${code}`, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.retryable = details.retryable;
    this.sent = details.sent;
    this.findings = details.findings ?? [];
  }
}
