import * as fc from 'fast-check';

import { hostileText } from '../../slack/hostile.ts';
import type { Path, Victim, Wire } from './victims.ts';

/** Plausible values that belong to someone or something else. */
const plausible = ['U0BOB', 'U0MALLORY', 'T0OTHER', 'C0NOPE', 'r-0123456789', 'web-9', 'approve', '/nothing'];

/** Values that replace a vital one, none of which is valid there. */
const garbage: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...plausible) },
  { weight: 4, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, 0, -1, 1e308, [], {}, true, JSON.parse('{"__proto__":1}')),
  },
);

/** Damage to a body before it is signed. */
const damage: fc.Arbitrary<(wire: Wire) => Wire> = fc.oneof(
  { weight: 30, arbitrary: fc.constant((wire: Wire) => wire) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 0.5, noNaN: true }).map(cutAt) },
  { weight: 2, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }).map(withBytes) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('application/json', 'text/plain', '', 'multipart/form-data').map(as),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map(nested) },
);

function cutAt(share: number): (wire: Wire) => Wire {
  return ({ type, body }) => ({ type, body: body.slice(0, Math.floor(body.length * share)) });
}

function withBytes(bytes: Uint8Array): (wire: Wire) => Wire {
  return ({ type, body }) => {
    const whole = Buffer.from(body);
    const at = Math.floor(whole.length / 3);
    return { type, body: Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)]) };
  };
}

function as(type: string): (wire: Wire) => Wire {
  return ({ body }) => ({ type, body });
}

/** Small enough to be sent completely. Otherwise, its sender may not see the rejection. */
function nested(depth: number): (wire: Wire) => Wire {
  return () => ({
    type: 'application/json',
    body: `{"type":"block_actions","view":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  });
}

/** Payloads that each lack at least one value without which they can do nothing. */
export const malformedBodies = (victims: readonly Victim[]): fc.Arbitrary<(number: number) => Wire> =>
  fc
    .tuple(
      fc.constantFrom(...victims.flatMap((victim) => victim.vital.map((path) => ({ victim, path })))),
      fc.array(fc.tuple(fc.nat(20), garbage, fc.boolean()), { maxLength: 2 }),
      garbage,
      fc.nat(9),
      damage,
    )
    .map(([{ victim, path }, more, value, takeAway, hurt]) => (number) => {
      const payload = structuredClone(victim.fresh(number));
      for (const [place, also, away] of more)
        put(payload, victim.vital[place % victim.vital.length] ?? path, also, away);
      put(payload, path, value, takeAway === 0);
      return hurt(victim.wire(payload));
    });

const isNode = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

/** Sets or removes the value at the path. Does nothing if the path no longer exists. */
function put(payload: object, path: Path, value: unknown, takeAway: boolean): void {
  let node: unknown = payload;
  for (const step of path.slice(0, -1)) node = isNode(node) ? node[step] : undefined;
  const last = path.at(-1);
  if (!isNode(node) || last === undefined) return;
  if (takeAway) delete node[last];
  // Otherwise, a value that is put in two places could contain itself.
  else node[last] = structuredClone(value);
}
