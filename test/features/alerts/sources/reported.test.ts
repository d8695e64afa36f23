import { describe, expect, it } from 'vitest';

import type { Hook } from '../../../../src/features/alerts/group/section.ts';
import { parseDelivery } from '../../../../src/features/alerts/sources/parse-delivery.ts';
import { inputOf } from '../../../reported/service/service-input.ts';

const noon = Date.UTC(2026, 10, 20, 12);

describe('an alert from outside, as reported', () => {
  it('has its time in UTC, if it names no zone', () => {
    const hook: Hook = {
      kind: 'alertmanager',
      channel: 'C0OPS',
      secret: 'secret:hook',
      buttons: [],
      targetLabel: undefined,
      reads: [],
      ownForMs: 1,
    };
    const inventory = { regions: {}, instances: {}, containers: {}, targets: {} };
    const delivery = parseDelivery(hook, inventory, Buffer.from(inputOf('alert-no-zone').body));
    expect(delivery).toMatchObject({ kind: 'update', update: { content: { since: noon } } });
  });

  it('keeps two alerts of a hook apart', () => {
    const hook: Hook = {
      kind: 'generic',
      channel: 'C0OPS',
      secret: 'secret:hook',
      buttons: [],
      targetLabel: undefined,
      reads: [],
      ownForMs: 1,
      mapping: { title: ['alert.title'], key: ['alert.id'], status: ['alert.status'] },
    };
    const inventory = { regions: {}, instances: {}, containers: {}, targets: {} };
    const keys = ['alert-snowflake-one', 'alert-snowflake-other'].map((file) => {
      const delivery = parseDelivery(hook, inventory, Buffer.from(inputOf(file).body));
      return delivery.kind === 'update' ? delivery.update.key : delivery.kind;
    });
    expect(keys).toEqual(['7354081290123456789', '7354081290123456790']);
  });
});
