import { z } from 'zod';
import { act } from '../gestures/action.ts';
import { RefusedGesture } from '../gestures/outcomes.ts';
import {
  clearDrills,
  clearWire,
  setAgent,
  setAlert,
  setSchedule,
  setServiceFault,
  setSlackDrills,
  setStorm,
} from '../gestures/drill.ts';
import { openHome } from '../gestures/home.ts';
import { edit, react, remove } from '../gestures/message.ts';
import { close, submit, upload } from '../gestures/modal.ts';
import { send } from '../gestures/send.ts';
import { runStolenSession } from '../gestures/stolen-session.ts';
import { runShortcut } from '../gestures/shortcut.ts';
import { suggest } from '../gestures/suggest.ts';
import { gestures, type GestureName, type Outcome } from '../gestures/gestures.ts';
import type { Workspace } from '../workspace.ts';

type Performed =
  | { readonly status: 200; readonly outcome: Outcome }
  | { readonly status: 400 | 404; readonly message: string };

type Perform = (workspace: Workspace, body: unknown) => Promise<Performed>;

/** Carries out a gesture if its body fits the schema. */
function performer<Schema extends z.ZodType>(
  schema: Schema,
  perform: (workspace: Workspace, gesture: z.infer<Schema>) => Promise<Outcome>,
): Perform {
  return async (workspace, body) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) return { status: 400, message: z.prettifyError(parsed.error) };
    try {
      return { status: 200, outcome: await perform(workspace, parsed.data) };
    } catch (error) {
      if (error instanceof RefusedGesture) return { status: 200, outcome: error.outcome };
      throw error;
    }
  };
}

const performers: Readonly<Record<GestureName, Perform>> = {
  send: performer(gestures.send, send),
  action: performer(gestures.action, act),
  shortcut: performer(gestures.shortcut, runShortcut),
  edit: performer(gestures.edit, edit),
  delete: performer(gestures.delete, remove),
  react: performer(gestures.react, react),
  options: performer(gestures.options, suggest),
  submit: performer(gestures.submit, submit),
  close: performer(gestures.close, close),
  home: performer(gestures.home, openHome),
  upload: performer(gestures.upload, upload),
  'service-fault': performer(gestures['service-fault'], setServiceFault),
  'slack-drills': performer(gestures['slack-drills'], setSlackDrills),
  schedule: performer(gestures.schedule, setSchedule),
  alert: performer(gestures.alert, setAlert),
  agent: performer(gestures.agent, setAgent),
  'alert-storm': performer(gestures['alert-storm'], setStorm),
  'stolen-session': performer(gestures['stolen-session'], runStolenSession),
  'clear-drills': performer(gestures['clear-drills'], clearDrills),
  'clear-wire': performer(gestures['clear-wire'], clearWire),
};

function isGestureName(name: string): name is GestureName {
  return Object.hasOwn(performers, name);
}

/** Carries out what a person did on the page. Returns the outcome and its HTTP status. */
export async function runGesture(workspace: Workspace, name: string, body: unknown): Promise<Performed> {
  return isGestureName(name)
    ? performers[name](workspace, body)
    : { status: 404, message: `There is no gesture ${name}.` };
}
