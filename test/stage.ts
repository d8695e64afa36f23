import type { Actor } from '../src/model/values/actor.ts';
import { BellhopError } from '../src/model/values/errors.ts';
import type { ClickAction, Request, State } from '../src/model/records/request.ts';
import type { Rule } from '../src/model/rulebook/rulebook.ts';
import { type ButtonClick, handleClick } from '../src/request/click.ts';
import { type CommandResult, runTypedCommand } from '../src/run/run-command.ts';
import type { Store } from '../src/store/store.ts';
import { callerOf, type Core } from './core.ts';
import { people, type Who } from './people.ts';

type Clicks<Result> = (
  who: Who,
  on: Pick<Request, 'id'>,
  action: ClickAction,
  more?: Partial<ButtonClick>,
) => Promise<Result>;

/** Bellhop in this process, without Slack: its core on a store, with people who type and press in #ops. */
export interface Stage extends Core {
  readonly store: Store;
  /** The result of a typed line: `/cloud ips`. */
  ask(line: string, who?: Who): Promise<CommandResult>;
  /** Runs a typed line that proposes a request. */
  propose(who: Who, line: string): Promise<Request>;
  readonly click: Clicks<Request>;
  /** Presses a button, and returns the error, which is expected. */
  readonly refused: Clicks<BellhopError>;
  find(on: Pick<Request, 'id'>): Promise<Request>;
  /** Resolves once the request has this state. Time stands still in the meantime. */
  becomes(on: Pick<Request, 'id'>, state: State): Promise<Request>;
  /** The entries of a request, oldest first: `confirmed → running by U0ALICE (note)`. */
  story(on: Pick<Request, 'id'>): Promise<readonly string[]>;
  /** Replaces the rules, as a reload does. */
  rules(rules: readonly Rule[]): void;
}

const clickOf = (...[who, { id }, action, more = {}]: Parameters<Clicks<unknown>>): ButtonClick => ({
  ...callerOf(people[who]),
  requestId: id,
  action,
  ...(action === 'deny' && { passes: { denial: { text: '' } } }),
  ...more,
});

export function stageOn(core: Core, store: Store): Stage {
  const { context } = core;
  const stage: Stage = Object.assign(core, {
    store,
    ask(line: string, who: Who = 'alice') {
      const [area = '', text = ''] = line.slice(1).split(/ (.*)/su);
      const caller = { ...callerOf(people[who]), correlationId: context.ids.correlation() };
      return runTypedCommand(context, caller, area, text);
    },
    async propose(who: Who, line: string) {
      const answer = await stage.ask(line, who);
      if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
      return answer.request;
    },
    async click(...click: Parameters<Stage['click']>) {
      const { kind, request } = await handleClick(context, clickOf(...click));
      if (kind !== 'done') throw new Error(`the click came to ${kind}`);
      return request;
    },
    async refused(...click: Parameters<Stage['refused']>) {
      const error = await handleClick(context, clickOf(...click)).catch((thrown: unknown) => thrown);
      if (error instanceof BellhopError) return error;
      throw new Error('the click was not refused', { cause: error });
    },
    async find({ id }: Pick<Request, 'id'>) {
      const request = await store.find(id);
      if (!request) throw new Error(`there is no ${id}`);
      return request;
    },
    async becomes(on: Pick<Request, 'id'>, state: State) {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const request = await stage.find(on);
        if (request.state === state) return request;
        if (performance.now() > deadline)
          throw new Error(`${request.id} stays ${request.state}, not ${state}`);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    },
    async story({ id }: Pick<Request, 'id'>) {
      const entries = await store.audit({ requestId: id, limit: 1000 });
      return entries.toReversed().map(({ event, outcome, actor: by, error, note, reason }) => {
        const why = event === 'break-glass' ? reason : (note ?? error);
        return [event, '→', outcome, ...(by ? ['by', shortName(by)] : []), ...(why ? [`(${why})`] : [])].join(
          ' ',
        );
      });
    },
    rules(rules: readonly Rule[]) {
      const { rulebook } = stage;
      stage.rulebook = { ...rulebook, policy: { ...rulebook.policy, rules, hash: 'another policy' } };
    },
  });
  return stage;
}

const shortName = ({ team, user }: Actor): string => (team === 'T0LOCAL' ? user : `${team}/${user}`);
