import { expect, it } from 'vitest';

import { openStage } from '../operations/stage.ts';

it('a rollout that cannot be is refused, with what to type instead', async () => {
  const stage = await openStage();
  expect(
    await stage.refusals([
      '/cloud reboot --each tier',
      '/cloud reboot --each teir=web',
      '/cloud reboot --each tier=wbe',
      '/cloud reboot --each tier=db',
      '/cloud reboot --each tier=web --each env=production',
      '/cloud reboot web-1 --each tier=web',
      '/cloud reboot --each tier=web --pause 2h',
      '/cloud reboot --each tier=web --pause soon',
      '/cloud reboot web-1 --pause 2m',
      '/cloud reboot --each env=staging --each tier=web --pause',
      '/cloud show --each tier=web',
      '/storage kinds --each tier=web',
      '/cdn raw-logs --each tier=web',
      '/storage post --each tier=web',
    ]),
  ).toMatchInlineSnapshot(`
    "/cloud reboot --each tier
      --each takes label=value, such as --each tier=web, not “tier”.
    /cloud reboot --each teir=web
      No target has the label “teir”. Did you mean “tier”?
    /cloud reboot --each tier=wbe
      No target has “tier=wbe”. Did you mean “tier=web”?
    /cloud reboot --each tier=db
      Only db-1 has tier=db, but --each takes 2 to 20 targets. Type its name instead.
    /cloud reboot --each tier=web --each env=production
      No target has both tier=web and env=production. --each takes 2 to 20 targets.
    /cloud reboot web-1 --each tier=web
      Use <instance> or --each label=value, not both.
    /cloud reboot --each tier=web --pause 2h
      --pause must be a duration from 0s to 1h, such as 30s or 2m, not “2h”.
    /cloud reboot --each tier=web --pause soon
      --pause must be a duration from 0s to 1h, such as 30s or 2m, not “soon”.
    /cloud reboot web-1 --pause 2m
      --pause needs --each label=value.
    /cloud reboot --each env=staging --each tier=web --pause
      --pause needs a value, such as --pause 2m.
    /cloud show --each tier=web
      /cloud show is read-only. Remove --each.
    /storage kinds --each tier=web
      /storage kinds is read-only. Remove --each.
    /cdn raw-logs --each tier=web
      /cdn raw-logs has no targets with labels, so it takes no --each. Remove it.
    /storage post --each tier=web
      /storage post has no targets with labels, so it takes no --each. Remove it."
  `);
  expect(await stage.sent()).toBe(0);
});

it('a rollout without a way to tell whether a target is healthy again is refused', async () => {
  const stage = await openStage({ extensions: [] });
  expect(await stage.refusal('/cloud reboot --each tier=web')).toMatchInlineSnapshot(
    `"--each needs a health check between targets. Add instance-read or tasks to “extensions” in bellhop.yaml."`,
  );
});

it('one denied target denies all of them, by name', async () => {
  const stage = await openStage();
  const { policy } = stage.rulebook;
  const rule = { name: 'hands off', effect: 'deny', labels: { env: 'production' } } as const;
  const [first] = policy.rules;
  expect(first).toBeDefined();
  const strict = await openStage({
    policy: {
      ...policy,
      rules: first ? [{ ...first, ...rule, operations: undefined, roles: undefined }, ...policy.rules] : [],
    },
    inventory: {
      ...stage.rulebook.inventory,
      instances: Object.fromEntries(
        Object.entries(stage.rulebook.inventory.instances).map(([name, one]) => [
          name,
          name === 'web-2' ? { ...one, labels: { env: 'production', tier: 'web' } } : one,
        ]),
      ),
    },
  });
  expect(await strict.refusal('/cloud reboot --each tier=web')).toMatchInlineSnapshot(
    `"You can't reboot web-2 here. Rule “hands off” denies it. Nothing was done."`,
  );
});

it('/bellhop can explains it without running it', async () => {
  const stage = await openStage();
  const { headline, title } = await stage.report('/bellhop can cloud reboot --each tier=web --pause 2m');
  expect(`${title} ${headline ?? ''}`).toMatchInlineSnapshot(
    `"Can you run “/cloud reboot --each tier=web --pause 2m” here? Yes, after confirming. Rule “staging”."`,
  );
  expect(await stage.sent()).toBe(0);
});
