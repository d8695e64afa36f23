import { describe, expect, it } from 'vitest';
import { sortedRows } from '../../../workspace/page/blocks/data-table-block.js';
import { continues } from '../../../workspace/page/channel/message-list.js';
import { applyEvent, withToast, wireKept, workspaceOf } from '../../../workspace/page/workspace-state.js';
import type { WireEntry } from '../../../workspace/drill-protocol.ts';
import type { Message, State, WorkspaceEvent } from '../../../workspace/protocol.ts';

function message(ts: string, change: Partial<Message> = {}): Message {
  return {
    channel: 'C0OPS',
    ts,
    user: 'U0BELLHOP',
    is_bot: true,
    text: ts,
    blocks: [],
    files: [],
    attachments: [],
    edited: false,
    ephemeral: false,
    reply_count: 0,
    latest_reply: '',
    reply_users: [],
    reactions: [],
    tombstone: false,
    broadcast: false,
    ...change,
  };
}

const view = (id: string) => ({
  id,
  type: 'modal' as const,
  callback_id: '',
  hash: '',
  title: null,
  submit: null,
  close: null,
  notify_on_close: false,
  clear_on_close: false,
  blocks: [],
});

const state: State = {
  notice: '',
  team: { id: 'T0LOCAL', name: 'Local' },
  app: { id: 'A0BELLHOP', name: 'Bellhop', bot_user_id: 'U0BELLHOP' },
  as: 'U0ALICE',
  people: [],
  usergroups: [],
  channels: [{ id: 'C0OPS', name: 'ops', kind: 'channel', topic: '', bot_is_member: true, messages: [] }],
  commands: [],
  shortcuts: [],
  home: null,
  modals: [],
  drills: {
    stolen: { available: false, running: false, clicks: 0, result: '' },
    schedule: { on_call: null, down: false },
    alerts: {
      available: false,
      names: [],
      instances: [],
      firing: [],
      storm: { total: 0, waiting: 0, refused: 0 },
    },
    agent: { available: false, steps: [] },
    service: { available: false, faults: {} },
    slack: {
      redeliver: 0,
      lose_ack: 0,
      dispatch_delay_ms: 0,
      rate_limit: [],
      web_api_down: false,
      withheld: [],
    },
  },
  event_id: '0',
};

/** The workspace after these events. */
function after(...events: WorkspaceEvent[]) {
  return events.reduce(applyEvent, workspaceOf(state));
}

const texts = (workspace: ReturnType<typeof after>) =>
  workspace.state.channels[0]?.messages.map((each) => each.text);

describe('what the page shows', () => {
  it('orders messages by their time, whatever order they come in, each once', () => {
    const [first, second] = [message('1.000001'), message('2.000001')];
    const shown = after(
      { type: 'message', message: second },
      { type: 'message', message: first },
      { type: 'message', message: second },
    );
    expect(texts(shown)).toEqual(['1.000001', '2.000001']);
  });

  it('changes and takes away messages', () => {
    const shown = after(
      { type: 'message', message: message('1.0') },
      { type: 'message', message: message('2.0') },
      { type: 'message-changed', message: message('1.0', { text: 'changed' }) },
      { type: 'message-deleted', channel: 'C0OPS', ts: '2.0' },
    );
    expect(texts(shown)).toEqual(['changed']);
  });

  it('counts as new what others say', () => {
    const own = { type: 'message', message: message('1.0', { user: 'U0ALICE' }) } as const;
    expect(after(own, { type: 'message', message: message('2.0') }).unread).toEqual({ C0OPS: 1 });
  });

  it('stacks modals, replaces one that is updated, forgets its errors and troubles', () => {
    const stacked = after(
      { type: 'view-opened', view: view('V1') },
      { type: 'view-pushed', view: view('V2') },
      { type: 'view-errors', view_id: 'V2', errors: { b: 'No.' } },
      { type: 'toast', error: 'operation_timeout', text: 'Trouble', view_id: 'V2' },
    );
    expect(stacked.state.modals.map(({ id }) => id)).toEqual(['V1', 'V2']);
    expect([stacked.viewErrors['V2'], stacked.troubles['V2'], stacked.toasts]).toEqual([
      { b: 'No.' },
      'Trouble',
      [],
    ]);
    const updated = applyEvent(stacked, { type: 'view-updated', view: { ...view('V2'), hash: 'new' } });
    expect(updated.state.modals.map(({ hash }) => hash)).toEqual(['', 'new']);
    expect([updated.viewErrors['V2'], updated.troubles['V2']]).toEqual([{}, undefined]);
    expect(applyEvent(updated, { type: 'view-closed', view_ids: ['V1', 'V2'] }).state.modals).toEqual([]);
  });

  it('says the same words once', () => {
    const told = withToast(withToast(workspaceOf(state), 'No answer'), 'No answer');
    expect(told.toasts.map((toast) => toast.text)).toEqual(['No answer']);
  });

  it('keeps no more of the wire than it can show', () => {
    const entry: WireEntry = {
      id: 0,
      direction: 'to-bot',
      at: 0,
      duration_ms: 0,
      name: '',
      status: 200,
      error: '',
      retry: 0,
    };
    const many = Array.from({ length: wireKept + 5 }, (_, id) => ({
      type: 'wire' as const,
      entry: { ...entry, id },
    }));
    const { wire } = after(...many);
    expect([wire.length, wire[0]?.id]).toEqual([wireKept, 5]);
  });
});

describe('a message continues where the one before left off', () => {
  it.each([
    ['soon, by the same author', message('1100.0'), true],
    ['later than five minutes', message('1400.0'), false],
    ['by another', message('1100.0', { user: 'U0BOB' }), false],
    ['privately', message('1100.0', { ephemeral: true }), false],
  ])('%s', (_name, next, expected) => {
    expect(continues(next, message('1000.0'))).toBe(expected);
  });
});

const text = (words: string) => ({ type: 'raw_text' as const, text: words });
const number = (value: number) => ({ type: 'raw_number' as const, value, text: `${value} Gbit/s` });

describe('rows of a data table', () => {
  const rows = [
    [text('web-10'), number(900)],
    [text('web-9'), number(4000)],
    [text('db-1'), number(-1)],
  ];
  it.each([
    [undefined, ['web-10', 'web-9', 'db-1']],
    [{ column: 1, direction: 'ascending' as const }, ['db-1', 'web-10', 'web-9']],
    [{ column: 1, direction: 'descending' as const }, ['web-9', 'web-10', 'db-1']],
    [{ column: 0, direction: 'ascending' as const }, ['db-1', 'web-9', 'web-10']],
  ])('in the order of %j', (order, names) => {
    expect(sortedRows(rows, order).map(([first]) => first?.type === 'raw_text' && first.text)).toEqual(names);
  });
});
