import type { IncomingHttpHeaders } from 'node:http';

import { longestHeader } from '../../../http/incoming.ts';
import type { Rate } from '../../../http/rate-limit.ts';
import type { Hook, HookSignature } from '../group/section.ts';

const pagerDuty: HookSignature = { header: 'x-pagerduty-signature', prefix: 'v1=' };

/** Undefined if the sender sends the secret itself. */
export const signatureOf = ({ kind, signature }: Hook): HookSignature | undefined =>
  kind === 'pagerduty' ? pagerDuty : signature;

/** During a rotation, PagerDuty sends one signature for each secret. */
const maxSignatures = 10;
const hexadecimal = /^[0-9a-f]{64}$/u;

/** Empty if no signature can match the body. */
export const claimedSignatures = (
  { header, prefix }: HookSignature,
  headers: IncomingHttpHeaders,
): readonly string[] =>
  String(headers[header] ?? '')
    .slice(0, longestHeader)
    .split(',')
    .slice(0, maxSignatures)
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(prefix) ? [part.slice(prefix.length)] : []))
    .filter((claimed) => hexadecimal.test(claimed));

/** In a storm, thousands of groups arrive as separate deliveries. The burst admits those, but not a flood. */
export const hookRate: Rate = { burst: 3_000, perSecond: 50 };
