import { type Payload, readPayload } from './payloads.ts';

/**
 * Reads the raw body of a request from Slack: events are JSON, commands a form, interactions JSON in the form's field
 * `payload`. Never throws.
 */
export function readPayloadBody(contentType: string | undefined, body: Buffer): Payload {
  const text = body.toString('utf8');
  if (contentType?.startsWith('application/json')) return readJson(text);
  const form = new URLSearchParams(text);
  const payload = form.get('payload');
  return payload === null ? readPayload(Object.fromEntries(form)) : readJson(payload);
}

function readJson(text: string): Payload {
  try {
    return readPayload(JSON.parse(text));
  } catch {
    return { kind: 'malformed', problem: 'not JSON' };
  }
}
