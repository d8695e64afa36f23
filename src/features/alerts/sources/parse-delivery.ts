import { z } from 'zod';

import { type AlertUpdate, alertBounds } from '../group/record.ts';
import { placeholderNames } from '../group/button-command.ts';
import { decisiveLabels, subjectOf } from '../group/subject.ts';
import type { Hook } from '../group/section.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import type { Inventory } from '../../../model/rulebook/target.ts';
import { decoded } from '../../../http/body.ts';
import { parseExactJson } from '../../../text/exact.ts';
import { orUndefined } from '../../../text/words.ts';
import { readAlertmanager } from './alertmanager.ts';
import { cut } from '../../../text/words.ts';
import { type Reading } from './cut.ts';
import { readGeneric } from './generic.ts';
import { readPagerDuty } from './pagerduty.ts';

/** `nothing` is a body without an alert, such as a ping. */
export type Delivery =
  | { readonly kind: 'update'; readonly update: AlertUpdate }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Never throws. */
export function parseDelivery(
  hook: Hook,
  inventory: Inventory,
  body: Buffer,
  contentType?: string,
): Delivery {
  const { targetLabel, buttons } = hook;
  const reading: Reading = {
    wanted: new Set([
      ...(targetLabel === undefined ? [] : [targetLabel]),
      ...buttons.flatMap(({ when }) => Object.keys(when)),
      ...buttons.flatMap(({ run }) => placeholderNames(run, 'label')),
      'alertname',
      'severity',
      ...decisiveLabels,
    ]),
    annotations: new Set(buttons.flatMap(({ run }) => placeholderNames(run, 'annotation'))),
    about(labels) {
      const { target, on } = subjectOf({ labels }, targetLabel, inventory);
      return { target, on: cut(on, alertBounds.labelName) };
    },
  };
  try {
    const update = read(hook, reading, jsonIn(decoded(body, contentType, 'windows-1252')));
    return update ? { kind: 'update', update } : { kind: 'nothing' };
  } catch (error) {
    if (error instanceof BellhopError) return { kind: 'malformed', problem: error.message };
    const problem =
      error instanceof z.ZodError
        ? `${pathOf(error)} is invalid for this kind of hook`
        : 'the body is not JSON';
    return { kind: 'malformed', problem };
  }
}

/** Some senders build their JSON by hand and leave line breaks in texts, which JSON does not allow. */
const jsonIn = (text: string): unknown =>
  orUndefined(() => parseExactJson(text)) ?? parseExactJson(text.replaceAll(/\p{Cc}/gu, ' '));

/** @returns undefined for a body without an alert @throws ZodError, BellhopError for a body that can't be read */
function read({ kind, mapping }: Hook, reading: Reading, body: unknown): AlertUpdate | undefined {
  if (kind === 'pagerduty') return readPagerDuty(body, reading);
  return kind === 'alertmanager' ? readAlertmanager(body, reading) : readGeneric(body, mapping, reading);
}

/** The path of the invalid value, without the value. */
const pathOf = ({ issues: [issue] }: z.ZodError): string =>
  issue?.path.map(String).join('.').slice(0, 100) || 'the body';
