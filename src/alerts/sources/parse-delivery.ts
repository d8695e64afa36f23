import { z } from 'zod';

import type { AlertUpdate } from '../../model/records/alert.ts';
import { subjectOf, targetOf } from '../../command/targets.ts';
import type { Hook } from '../section.ts';
import type { Inventory } from '../../model/rulebook/target.ts';
import { parseExactJson } from '../../text/exact.ts';
import { orUndefined } from '../../text/words.ts';
import { readAlertmanager } from './alertmanager.ts';
import type { Reading } from './cut.ts';
import { readGeneric } from './generic.ts';
import { readPagerDuty } from './pagerduty.ts';

/** A parsed body. `nothing` is a body without an alert, such as a ping. */
export type Delivery =
  | { readonly kind: 'update'; readonly update: AlertUpdate }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Reads the body of an authenticated delivery. Never throws. */
export function parseDelivery(
  hook: Hook,
  inventory: Inventory,
  body: Buffer,
  contentType?: string,
): Delivery {
  const reading: Reading = {
    wanted: wantedLabels(hook),
    targetOf: (labels) => targetOf({ labels }, hook.targetLabel, inventory)?.name,
    subjectOf: (labels) => subjectOf({ labels }, hook.targetLabel, inventory),
  };
  try {
    const charset = /;\s*charset="?([\w.:-]{1,40})/iu.exec(contentType ?? '')?.[1];
    const value =
      orUndefined(() => jsonIn(body, 'utf-8')) ??
      orUndefined(() => jsonIn(body, charset ?? 'windows-1252')) ??
      jsonIn(body, 'windows-1252');
    return read(hook, reading, value);
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: 'malformed', problem: issueOf(error) };
    return { kind: 'malformed', problem: 'the body is not JSON' };
  }
}

const jsonIn = (body: Buffer, charset: string): unknown =>
  parseExactJson(new TextDecoder(charset, { fatal: true }).decode(body));

function read(hook: Hook, reading: Reading, body: unknown): Delivery {
  if (hook.kind === 'generic') {
    const { mapping } = hook;
    const update = mapping && readGeneric(body, mapping, reading);
    if (update === 'ignored') return { kind: 'nothing' };
    const problem = `no text at ${mapping?.title.join(' or ') ?? 'the title of its mapping'}`;
    return update ? { kind: 'update', update } : { kind: 'malformed', problem };
  }
  const update = hook.kind === 'pagerduty' ? readPagerDuty(body, reading) : readAlertmanager(body, reading);
  return update ? { kind: 'update', update } : { kind: 'nothing' };
}

const wantedLabels = ({ targetLabel, buttons }: Hook): ReadonlySet<string> =>
  new Set([
    ...(targetLabel === undefined ? [] : [targetLabel]),
    ...buttons.flatMap(({ when }) => Object.keys(when)),
    'alertname',
    'instance',
    'container',
    'severity',
  ]);

/** The path of the invalid value, without the value. */
const issueOf = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.map(String).join('.').slice(0, 100) || 'the body'} is invalid for this kind of hook`;
