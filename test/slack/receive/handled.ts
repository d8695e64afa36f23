import { expect } from 'vitest';

import {
  type Click,
  type HandledPayload,
  readPayload,
  type Sender,
  type SubmittedForm,
} from '../../../src/slack/receive/payloads.ts';

/** A payload as its listener has it: read once, from a person. */
export function received(payload: object): HandledPayload & { readonly sender: Sender } {
  const read = readPayload(payload, 'T0LOCAL');
  if (!('body' in read) || !read.sender) return expect.fail(`read as ${read.kind}`);
  return { ...read, sender: read.sender };
}

// Bolt's listeners give what the schema of the payload has checked a type of Bolt's.

export function clickOn(payload: { readonly actions: readonly unknown[] }): Click {
  const { sender, body } = received(payload);
  const [action] = payload.actions;
  return { ...sender, body, action } as unknown as Click;
}

export function submitted(payload: object): SubmittedForm {
  const { sender, body } = received(payload);
  return { ...sender, view: body['view'] } as unknown as SubmittedForm;
}
