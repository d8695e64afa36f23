import { BellhopError } from '../../core/model/errors.ts';

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

/** What a person can do in Slack about its codes, and about ours. */
const nextActions: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'I am not in this channel: type `/invite @Bellhop`.'],
  ['channel_not_found', 'I cannot see this channel: type `/invite @Bellhop`.'],
  ['is_archived', 'This channel is archived: ask in another one.'],
  ['restricted_action', 'I may not post in this channel: ask a workspace admin, or ask in another one.'],
  ['missing_scope', 'The app lacks a scope: ask a workspace admin to install it again.'],
  ['ratelimited', 'Slack takes no more of this for a moment: wait a minute.'],
  ['timeout', 'Slack did not answer in time.'],
  ['unreachable', 'Slack cannot be reached.'],
  ['connection_lost', 'The connection to Slack was lost.'],
]);

/**
 * A call to Slack that failed. `slackCode` is Slack's own (`invalid_blocks`, `channel_not_found`, `ratelimited`), or one of
 * ours: `timeout`, `unreachable`, `http_503`, `unreadable_reply`, `refused_url`. `message` says what to do in Slack.
 */
export class SlackError extends BellhopError {
  override readonly name = 'SlackError';
  /** The method, or what else was called. */
  readonly call: string;
  readonly slackCode: string;
  readonly retryAfterSeconds: number | undefined;
  readonly sent: boolean;
  readonly findings: readonly string[];

  constructor(call: string, slackCode: string, details: SlackErrorDetails) {
    super('slack', nextActions.get(slackCode) ?? `Slack answered “${slackCode}” to ${call}.`, details);
    this.call = call;
    this.slackCode = slackCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.sent = details.sent;
    this.findings = details.findings ?? [];
  }
}
