import { z } from 'zod';
import type { Answer } from '../../http/attempt.ts';
import { clipLine, type MaskText } from './clean-text.ts';

/** What an error body says, masked, on one line, at most 500 characters. */
export interface ServiceReason {
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
}

const longestReason = 500;
const longestRequestId = 100;
/** Of an error body; a reason is never further in. */
const readBytes = 64 * 1024;

const errorBody = z.looseObject({
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
  request_id: z.unknown().optional(),
});

/**
 * Reads the error body of any area: `message`, `error`, `errors` by field, or plain text. Of an HTML page the title.
 * Source: docs/interface.md#errors.
 */
export function readServiceReason(answer: Answer, mask: MaskText): ServiceReason {
  const text = answer.body.toString('utf8', 0, readBytes).trim();
  const clean = (raw: string, longest: number): string | undefined =>
    clipLine(mask(raw), longest) || undefined;
  if (/^<(?:!doctype|html|\?xml|head|body)/i.test(text)) {
    return { reason: clean(htmlTitle(text), longestReason), requestId: undefined };
  }
  const body = errorBody.safeParse(parsedOrUndefined(text));
  if (!body.success) return { reason: clean(text, longestReason), requestId: undefined };
  const { message, error, errors, request_id: requestId } = body.data;
  const said = [readable(message) || readable(error), readable(errors)].filter((part) => part !== '');
  return {
    reason: clean(said.length > 0 ? said.join('; ') : text, longestReason),
    requestId: clean(readable(requestId), longestRequestId),
  };
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function htmlTitle(text: string): string {
  return /<title[^<>]*>([^<]*)</i.exec(text)?.[1] ?? '';
}

/** `{ "folder": ["is required"] }` → `folder: is required`. */
function readable(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (depth > 3 || typeof value !== 'object' || value === null) return '';
  const parts = Array.isArray(value)
    ? value.map((item: unknown) => readable(item, depth + 1))
    : Object.entries(value).map(([key, item]: [string, unknown]) => {
        const text = readable(item, depth + 1);
        return text === '' ? '' : `${key}: ${text}`;
      });
  return parts.filter((part) => part !== '').join(Array.isArray(value) ? ', ' : '; ');
}
