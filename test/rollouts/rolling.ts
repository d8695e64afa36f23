import { setImmediate as immediately } from 'node:timers/promises';

import { type ButtonClick, type ClickResult, handleClick } from '../../src/request/click.ts';
import { handleRolloutClick, type RolloutAction } from '../../src/rollouts/press.ts';
import type { Actor, OpenDelivery } from '../../src/model/values/actor.ts';
import type { Policy, Rule } from '../../src/model/rulebook/rulebook.ts';
import { type Inventory, targetNames } from '../../src/model/rulebook/target.ts';
import type { Context } from '../../src/model/ports.ts';
import { type ClickAction, type Request, type Rollout, stateWord } from '../../src/model/records/request.ts';
import { sweep } from '../due/sweep.ts';
import { openStage, type ServiceStage } from '../operations/stage.ts';
import { alice } from '../people.ts';
import type { Stage } from '../stage.ts';

const command = '/cloud reboot --each tier=web --pause 5s';

/** A rollout on a stage, and what a person does about it. */
export interface Rolling {
  readonly id: string;
  /** The rollout in its current state. */
  now(): Promise<Request>;
  /** For example `running: web-1 succeeded, web-2 unknown, web-3`. */
  summary(): Promise<string>;
  /** Lets time pass, two seconds at a time, until the summary fits, or for this many seconds. */
  until(fits: RegExp | ((rollout?: Rollout) => boolean), seconds?: number): Promise<string>;
  /** @param line the line of a button that the card showed earlier @param open the record of the payload */
  press(action: RolloutAction, actor?: Actor, line?: number, open?: OpenDelivery): Promise<Request>;
  /** The requests of the rollout's targets, by target. */
  singles(): Promise<readonly Request[]>;
}

export const proposed = (stage: ServiceStage, line = command): Promise<Request> =>
  stage.propose('alice', line);

/** A rollout that was proposed and confirmed. @param context the process that handles it */
export async function rolling(
  stage: ServiceStage,
  line = command,
  context = stage.context,
): Promise<Rolling> {
  const request = await proposed(stage, line);
  await click(context, request, 'confirm');
  return follow(stage, request.id, context);
}

export const click = (
  context: Context,
  { id, place }: Request,
  action: ClickAction,
  { actor = alice, ...rest }: Partial<ButtonClick> = {},
): Promise<ClickResult> =>
  handleClick(context, { requestId: id, action, actor, place, correlationId: 'c', ...rest });

/** The service executes the next reboot and never answers. */
export const loseNextAnswer = (stage: ServiceStage) =>
  stage.control('PUT', 'faults/rebootInstance', { status: 500, after: true, times: 1 });

/** Which instances the service was asked to reboot, in order. */
export async function reboots(stage: ServiceStage): Promise<readonly string[]> {
  const log = JSON.stringify(await stage.control('GET', 'requests'));
  const { instances } = stage.rulebook.inventory;
  const names = new Map(Object.entries(instances).map(([name, { id }]) => [id, name]));
  return [...log.matchAll(/([0-9a-f-]{36})\/reboot/gu)].map(([, id = '']) => names.get(id) ?? id);
}

/** A stage whose rules and inventory a test can change at any time. */
export async function stageWithPolicy(options: Parameters<typeof openStage>[0] = {}) {
  const stage = await openStage(options);
  return {
    stage,
    change: (to: (was: Policy) => Policy): void =>
      void (stage.rulebook = { ...stage.rulebook, policy: to(stage.rulebook.policy) }),
    changeInventory: (to: (was: Inventory) => Inventory): void =>
      void (stage.rulebook = { ...stage.rulebook, inventory: to(stage.rulebook.inventory) }),
  };
}

/** A different rule for the targets of the rollout. */
export const staging =
  (rule: Partial<Rule>) =>
  (policy: Policy): Policy => ({
    ...policy,
    rules: policy.rules.map((one) => (one.name === 'staging' ? { ...one, ...rule } : one)),
  });

async function turns(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await immediately();
}

export function follow(stage: Stage, id: string, context = stage.context): Rolling {
  const now = () => stage.find({ id });
  const summary = async (): Promise<string> => {
    const request = await now();
    const names = targetNames(request.target);
    const lines = request.rollout?.lines.map(({ state = '' }, index) =>
      `${names[index] ?? ''} ${state}`.trim(),
    );
    return `${stateWord(request)}: ${lines?.join(', ') ?? ''}`;
  };
  return {
    id,
    now,
    summary,
    async until(fits, seconds = 120) {
      for (let second = 0; second < seconds; second += 2) {
        const said = await summary();
        if (fits instanceof RegExp ? fits.test(said) : fits((await now()).rollout)) return said;
        await stage.clock.advance(2000);
        await sweep(context);
        // Running checks wait for this clock.
        await Promise.race([context.backgroundTasks.drained(1000), turns()]);
      }
      throw new Error(`not ${String(fits)} but ${await summary()} ${JSON.stringify((await now()).rollout)}`);
    },
    async press(action, actor = alice, line, open) {
      const { place, rollout } = await now();
      const next = line ?? rollout?.paused?.next;
      const caller = { actor, place, correlationId: 'c', openDelivery: () => open };
      return handleRolloutClick(context, { ...caller, requestId: id, action, next });
    },
    async singles() {
      const { rollout } = await now();
      const ids = rollout?.lines.flatMap(({ request }) => request ?? []) ?? [];
      const found = await Promise.all(ids.map((one) => stage.store.find(one)));
      return found.flatMap((one) => one ?? []);
    },
  };
}
