import { type Payload, readPayload } from './payloads.ts';

/**
 * Reads the raw body of a request from Slack: events are JSON, commands a form, interactions JSON in the form's field
 * `payload`. Never throws.
 */
export function readPayloadBody(contentType: string | undefined, body: Buffer): Payload {
  const text = body.toString('utf8');
  if (contentType?.startsWith('application/json')) return readJson(text);
  const form: Record<string, string> = {};
  // Every acknowledgement goes through here, and Object.fromEntries takes twice as long.
  for (const [name, value] of new URLSearchParams(text)) form[name] = value;
  return form['payload'] === undefined ? readPayload(form) : readJson(form['payload']);
}

function readJson(text: string): Payload {
  try {
    return readPayload(JSON.parse(text));
  } catch {
    return { kind: 'malformed', problem: 'not JSON' };
  }
}
