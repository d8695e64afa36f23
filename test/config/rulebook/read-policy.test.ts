import { expect, it } from 'vitest';

import { goodFile, parse } from './good-file.ts';

/** A rule with nothing else said. */
const plain = { approvals: 1, approvers: [], breakGlass: [], confirmNever: false, typeName: false };

it('a good file becomes roles, rules and freezes', () => {
  const result = parse(goodFile);
  expect(result.ok ? result.rulebook.policy : result).toEqual({
    freeze: [
      {
        except: ['leads'],
        from: Date.UTC(2026, 11, 24, 17),
        labels: { env: 'production' },
        reason: 'holidays',
        to: Date.UTC(2026, 11, 27, 6),
      },
      { except: [], from: Date.UTC(2027, 0, 1), labels: {}, to: Date.UTC(2027, 0, 1, 12) },
    ],
    hash: '97ffc70c86baa7effecce7a3dd7dd8deaf96bab64a87f4c7cd0e69438b8075dc',
    roles: {
      leads: { usergroups: [], users: ['U0CAROL', 'U0DAN'] },
      responders: { usergroups: ['S0ONCALL'], users: ['U0ALICE', 'T0OTHER/U0SARA', 'W0GRID'] },
    },
    rules: [
      { ...plain, name: 'reads', risk: ['read'], roles: ['anyone'], effect: 'allow' },
      { ...plain, risk: ['change', 'destructive'], teams: ['T0OTHER'], effect: 'deny' },
      {
        operations: ['cloud.*'],
        labels: { env: 'production' },
        channels: ['C0OPS', 'G0PRIVATE', 'D0ALICE'],
        roles: ['responders'],
        effect: 'approve',
        approvers: ['leads'],
        approvals: 2,
        breakGlass: ['leads'],
        confirmNever: false,
        typeName: true,
      },
      {
        ...plain,
        operations: ['cdn.raw-logs'],
        arguments: { enabled: 'false' },
        roles: ['leads'],
        effect: 'confirm',
      },
      {
        ...plain,
        name: '7',
        operations: ['storage.*'],
        roles: ['leads'],
        effect: 'allow',
        confirmNever: true,
      },
      { ...plain, roles: ['leads'], effect: 'allow' },
    ],
  });
});
