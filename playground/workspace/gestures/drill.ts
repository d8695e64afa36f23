import type { Gesture, Outcome } from './gestures.ts';
import { emailOf } from '../conversations/directory.ts';
import { personOf, refused } from './outcomes.ts';
import type { Workspace } from '../workspace.ts';

/** Sets or removes a fault of the local service. */
export async function setServiceFault(
  workspace: Workspace,
  gesture: Gesture<'service-fault'>,
): Promise<Outcome> {
  return reported(workspace.faults.set(gesture.endpoint, gesture.fault));
}

/** Switches drills of Slack itself. */
export async function setSlackDrills(
  workspace: Workspace,
  gesture: Gesture<'slack-drills'>,
): Promise<Outcome> {
  workspace.drills.set(gesture.drills);
  return { ok: true };
}

/** Sets who is on call, or takes the calendar down. */
export async function setSchedule(workspace: Workspace, { schedule }: Gesture<'schedule'>): Promise<Outcome> {
  if (schedule.on_call !== null && emailOf(personOf(schedule.on_call)) === undefined)
    return refused('no_email', 'People from another organization have no address here. Choose someone else.');
  workspace.schedule.set(schedule);
  return { ok: true };
}

const NO_HOOK = refused('no_hook', 'This workspace was started without a webhook for alerts.');

/** Fires an alert at the app, or resolves it. */
export async function setAlert(
  { alerts }: Workspace,
  { alertname, instance, status }: Gesture<'alert'>,
): Promise<Outcome> {
  if (!alerts.current.available) return NO_HOOK;
  const problem = await (status === 'firing'
    ? alerts.fire(alertname, instance)
    : alerts.resolve(alertname, instance));
  return problem === '' ? { ok: true } : refused('hook_failed', problem);
}

/** An agent finds that an alert fires, and suggests a reboot. */
export async function setAgent(
  { alerts, agent }: Workspace,
  { instance }: Gesture<'agent'>,
): Promise<Outcome> {
  if (!agent.current.available) return refused('no_agent', 'This workspace was started without an agent.');
  if (alerts.current.available) await alerts.fire('InstanceDown', instance);
  const problem = await agent.suggest(instance);
  return problem === '' ? { ok: true } : refused('agent_failed', problem);
}

export async function setStorm({ alerts }: Workspace, { status }: Gesture<'alert-storm'>): Promise<Outcome> {
  if (!alerts.current.available) return NO_HOOK;
  alerts.storm(status);
  return { ok: true };
}

export async function clearDrills(workspace: Workspace): Promise<Outcome> {
  workspace.drills.clear();
  workspace.schedule.repair();
  return reported(workspace.faults.clear());
}

export async function clearWire(workspace: Workspace): Promise<Outcome> {
  workspace.wire.clear();
  return { ok: true };
}

async function reported(change: Promise<void>): Promise<Outcome> {
  try {
    await change;
    return { ok: true };
  } catch (error) {
    return refused('service_unreachable', error instanceof Error ? error.message : String(error));
  }
}
