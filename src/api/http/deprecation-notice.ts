import type { ResponseHeaders } from './attempt.ts';
import type { MaskText } from '../errors/mask.ts';
import type { Endpoint } from '../endpoints.ts';
import { oneLine } from '../errors/service-reason.ts';

export interface WarnLogger {
  warn(details: object, message: string): void;
}

/** Logs `Deprecation` and `Sunset` headers, once for each endpoint. */
export function createDeprecationNotice(
  logger: WarnLogger | undefined,
  mask: MaskText,
): (row: Endpoint, headers: ResponseHeaders) => void {
  const noticed = new Set<Endpoint['row']>();
  return (row, headers) => {
    const deprecation = headerText(headers['deprecation'], mask);
    const sunset = headerText(headers['sunset'], mask);
    if ((deprecation ?? sunset) === undefined || noticed.has(row.row)) return;
    noticed.add(row.row);
    logger?.warn(
      { row: row.row, method: row.method, path: row.path, deprecation, sunset },
      'The service announces the end of this call',
    );
  };
}

function headerText(value: string | string[] | undefined, mask: MaskText): string | undefined {
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined ? undefined : oneLine(mask(text), 200);
}
