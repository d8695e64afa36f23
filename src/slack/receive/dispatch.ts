import { setImmediate as nextTurn } from 'node:timers/promises';

import type {
  BlockAction,
  ButtonAction,
  ReceiverEvent,
  SlackActionMiddlewareArgs,
  SlackViewMiddlewareArgs,
  StringIndexed,
  ViewSubmitAction,
} from '@slack/bolt';

import type { Actor, Caller } from '../../model/values/actor.ts';
import type { BackgroundTasks, Clock, Log } from '../../model/ports.ts';
import { limits } from '../render/limits.ts';
import type { AcceptedDelivery, Inbox } from './inbox.ts';
import type { HandledPayload, Payload, Sender } from './payloads.ts';

export interface Acknowledgement {
  /** For the metrics. Also `busy`. */
  readonly kind: string;
  /**
   * 503 means that Bellhop is overloaded, nothing was started, and Slack shows no text. Slack sends the payload again or shows an error.
   */
  readonly status: 200 | 400 | 503;
  readonly body?: object | undefined;
}

/**
 * Resolves once the payload may be acknowledged, before its work ends. A retry is handled like any payload, because it may be the only
 * delivery. Never rejects.
 */
export type Dispatch = (payload: Payload) => Promise<Acknowledgement>;

/** Added to Bolt's context of every payload. */
export interface ReceivedContext extends StringIndexed {
  readonly caller: Caller;
  readonly responseUrl: string | undefined;
  readonly clicked?: Sender['clicked'];
  /** Bolt does not type the parts of its text. */
  readonly message?: HandledPayload['message'];
  /** Records a form in the inbox, once. The other payloads are already recorded. */
  readonly accept: () => Promise<AcceptedDelivery>;
}

type Listened<Args, Keys extends keyof Args> = Pick<Args, Keys> & { readonly context: ReceivedContext };

export type Click = Listened<SlackActionMiddlewareArgs<BlockAction<ButtonAction>>, 'action' | 'body'>;
/** An empty acknowledgement closes the form. `clear` also closes the forms below. */
export type SubmittedForm = Listened<SlackViewMiddlewareArgs<ViewSubmitAction>, 'view' | 'ack'>;

export interface DispatchPorts {
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly backgroundTasks: BackgroundTasks;
  readonly clock: Clock;
  readonly log: Log;
  readonly inbox: Pick<Inbox, 'accept'>;
  /** Resolves to the actor with the team that Slack knows, whichever team the payload names. Never rejects. */
  readonly identify: (claimed: Actor) => Promise<Actor>;
  /** Including their work. Further payloads are rejected. */
  readonly maxInFlight: number;
  readonly correlate: (kind: string, work: (correlationId: string) => Promise<void>) => Promise<void>;
}

/** In milliseconds. A little less than the 3 s that Slack waits for the answer to a form or to typing. */
const answerWithinMs = limits.ackMs - 300;

/**
 * Hands payloads from HTTP or Socket Mode to the app. Commands, clicks and events are recorded, acknowledged at once and answered
 * separately. The listener acknowledges forms and selects. If it is late, throws or gives no answer, Slack gets a text that says so,
 * because an empty 200 would close a form as if accepted.
 */
export function createDispatch(ports: DispatchPorts): Dispatch {
  const { backgroundTasks, clock, correlate, log, maxInFlight } = ports;
  return async (payload) => {
    const { kind } = payload;
    if (!('body' in payload)) {
      const { problem, answer } = payload;
      if (problem !== undefined) log.warn({ problem }, `${kind} payload`);
      return { kind, status: kind === 'malformed' ? 400 : 200, body: answer };
    }
    if (backgroundTasks.count() >= maxInFlight) {
      log.warn({ kind, maxInFlight }, 'payload rejected: too many in flight');
      return overloadAnswer(payload);
    }
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    if (waitsForListener(payload))
      void clock.wait(answerWithinMs).then(() => resolve(textAnswer(payload, late)));
    backgroundTasks.add(
      correlate(kind, (correlationId) => handle(ports, payload, correlationId, resolve)),
      kind,
    );
    return { kind, status: 200, body: await promise };
  };
}

async function handle(
  { process, clock, identify, inbox, log }: DispatchPorts,
  payload: HandledPayload,
  correlationId: string,
  acknowledge: (body?: object) => void,
): Promise<void> {
  const { kind, body, sender, message, delivery } = payload;
  const { place, press, responseUrl, clicked } = sender;
  const began = clock.now();
  let accepted: Promise<AcceptedDelivery> | undefined;
  let open: AcceptedDelivery['open'];
  const accept = (): Promise<AcceptedDelivery> => (accepted ??= acceptOnce());
  const acceptOnce = async (): Promise<AcceptedDelivery> => {
    const record = delivery ? await inbox.accept(delivery) : unrecorded;
    ({ open } = record);
    return record;
  };
  if (!waitsForListener(payload)) {
    const { first } = await accept();
    acknowledge();
    if (!first) return;
  }
  // Lets all acknowledgements of a burst be sent before its work begins.
  await nextTurn();
  const recheckDuplicate = async (): Promise<boolean> => (await accept()).recheckDuplicate?.() ?? true;
  const actor = await identify(sender.actor);
  const caller: Caller = { actor, place, press, correlationId, recheckDuplicate, openDelivery: () => open };
  const customProperties: ReceivedContext = { caller, responseUrl, clicked, message, accept };
  const ack = (response?: unknown): Promise<void> => {
    acknowledge(typeof response === 'object' && response !== null ? response : undefined);
    return Promise.resolve();
  };
  try {
    await process({ body, customProperties, ack });
  } catch (error) {
    log.error({ kind, err: error }, 'payload handler failed');
  }
  (await accepted)?.done();
  acknowledge(textAnswer(payload, late));
  log.info({ kind, ms: clock.now() - began }, 'payload handled');
}

const waitsForListener = ({ kind }: HandledPayload): boolean =>
  kind === 'view_submission' || kind === 'block_suggestion';

/** For a payload that changes nothing. */
const unrecorded: AcceptedDelivery = { first: true, done: () => undefined };

const late = 'No answer yet, but your form may have arrived. Check the channel before you submit it again.';
const busy = 'Bellhop is overloaded. Nothing was done. Try again in a moment.';

export function overloadAnswer(payload: HandledPayload): Acknowledgement {
  const body = textAnswer(payload, busy);
  return { kind: 'busy', status: body ? 200 : 503, body };
}

/**
 * Private for a command, next to the first field for a form. Undefined if Slack shows no text: it then marks a click as failed, sends an
 * event again, or shows "trouble connecting" for a form without fields.
 */
function textAnswer({ kind, firstInput }: HandledPayload, text: string): object | undefined {
  if (kind === 'command') return { response_type: 'ephemeral', text };
  if (kind === 'block_suggestion') return { options: [] };
  return firstInput === undefined ? undefined : { response_action: 'errors', errors: { [firstInput]: text } };
}
