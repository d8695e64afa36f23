import { expect, it } from 'vitest';

import { goodFile, parse } from './good-file.ts';

it('a good file becomes roles, rules and freezes', () => {
  const result = parse(goodFile);
  expect(result.ok ? result.rulebook.policy : result).toMatchInlineSnapshot(`
    {
      "freeze": [
        {
          "except": [
            "leads",
          ],
          "from": 1798131600000,
          "labels": {
            "env": "production",
          },
          "reason": "holidays",
          "to": 1798351200000,
        },
        {
          "except": [],
          "from": 1798761600000,
          "labels": {},
          "to": 1798804800000,
        },
      ],
      "hash": "97ffc70c86baa7effecce7a3dd7dd8deaf96bab64a87f4c7cd0e69438b8075dc",
      "roles": {
        "leads": {
          "usergroups": [],
          "users": [
            "U0CAROL",
            "U0DAN",
          ],
        },
        "responders": {
          "usergroups": [
            "S0ONCALL",
          ],
          "users": [
            "U0ALICE",
            "T0OTHER/U0SARA",
            "W0GRID",
          ],
        },
      },
      "rules": [
        {
          "approvals": 1,
          "approvers": [],
          "approversAfter": undefined,
          "breakGlass": [],
          "confirmNever": false,
          "effect": "allow",
          "name": "reads",
          "risk": [
            "read",
          ],
          "roles": [
            "anyone",
          ],
          "stepUp": undefined,
          "typeName": false,
        },
        {
          "approvals": 1,
          "approvers": [],
          "approversAfter": undefined,
          "breakGlass": [],
          "confirmNever": false,
          "effect": "deny",
          "risk": [
            "change",
            "destructive",
          ],
          "stepUp": undefined,
          "teams": [
            "T0OTHER",
          ],
          "typeName": false,
        },
        {
          "approvals": 2,
          "approvers": [
            "leads",
          ],
          "approversAfter": undefined,
          "breakGlass": [
            "leads",
          ],
          "channels": [
            "C0OPS",
            "G0PRIVATE",
            "D0ALICE",
          ],
          "confirmNever": false,
          "effect": "approve",
          "labels": {
            "env": "production",
          },
          "operations": [
            "cloud.*",
          ],
          "roles": [
            "responders",
          ],
          "stepUp": undefined,
          "typeName": true,
        },
        {
          "approvals": 1,
          "approvers": [],
          "approversAfter": undefined,
          "arguments": {
            "enabled": "false",
          },
          "breakGlass": [],
          "confirmNever": false,
          "effect": "confirm",
          "operations": [
            "cdn.raw-logs",
          ],
          "roles": [
            "leads",
          ],
          "stepUp": undefined,
          "typeName": false,
        },
        {
          "approvals": 1,
          "approvers": [],
          "approversAfter": undefined,
          "breakGlass": [],
          "confirmNever": true,
          "effect": "allow",
          "name": "7",
          "operations": [
            "storage.*",
          ],
          "roles": [
            "leads",
          ],
          "stepUp": undefined,
          "typeName": false,
        },
        {
          "approvals": 1,
          "approvers": [],
          "approversAfter": undefined,
          "breakGlass": [],
          "confirmNever": false,
          "effect": "allow",
          "roles": [
            "leads",
          ],
          "stepUp": undefined,
          "typeName": false,
        },
      ],
    }
  `);
});
