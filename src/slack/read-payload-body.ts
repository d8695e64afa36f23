import { parse as parseForm } from 'node:querystring';

import { type Payload, readPayload } from './payloads.ts';

/** A form has a dozen fields; what has many more is not Slack's. */
const mostFields = 100;

/**
 * Reads the raw body of a request from Slack: events are JSON, commands a form, interactions JSON in the form's field
 * `payload`. Never throws.
 */
export function readPayloadBody(contentType: string | undefined, body: Buffer): Payload {
  const text = body.toString('utf8');
  if (contentType?.startsWith('application/json')) return readJson(text);
  const form = parseForm(text, '&', '=', { maxKeys: mostFields });
  const { payload } = form;
  if (typeof payload === 'string') return readJson(payload);
  return readPayload({ ...form });
}

function readJson(text: string): Payload {
  try {
    return readPayload(JSON.parse(text));
  } catch {
    return { kind: 'malformed', problem: 'not JSON' };
  }
}
