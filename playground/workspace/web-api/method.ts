import type { z } from 'zod';
import type { Workspace } from '../workspace.ts';

/** The caller: the bot, or the app as a whole (Socket Mode). */
export type TokenKind = 'bot' | 'app';

/** A method of the Web API. */
export interface Method<Input = unknown> {
  readonly name: string;
  readonly token: TokenKind | 'any';
  /** Any one of these scopes is enough; none needed if empty. */
  readonly scopes: readonly string[];
  readonly input: z.ZodType<Input>;
  run(workspace: Workspace, input: Input): Reply;
}

/** The fields of a method's answer besides `ok`. */
type Reply = Readonly<Record<string, unknown>>;

/** An error in Slack's words, thrown by a method. */
export class MethodError extends Error {
  override readonly name = 'MethodError';
  readonly code: string;
  /** Findings for `response_metadata.messages`, and further fields of the answer. */
  readonly messages: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  /** The seconds to wait. If set, the answer is a 429 with `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: string,
    details: { messages?: readonly string[]; fields?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(code);
    this.code = code;
    this.messages = details.messages ?? [];
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter;
  }
}

/** Declares a method; carries the type of its input from the schema to `run`. */
export function method<Input>(declared: Method<Input>): Method {
  return {
    ...declared,
    run: (workspace, input) => declared.run(workspace, declared.input.parse(input)),
  };
}
