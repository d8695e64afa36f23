import { hash } from 'node:crypto';

import { type ResolvedCommand, resolveTyped } from '../command/resolve.ts';
import type { Rules } from '../model/ports.ts';
import { rescue } from '../model/values/errors.ts';
import { splitButtonCommand } from './button-command.ts';
import { type HookButton, hooksSection } from './section.ts';
import { riskOf } from '../model/operation.ts';
import { type Alert, type AlertMessage, isFiring } from '../model/records/alert.ts';
import { type AlertTarget, targetOf } from '../command/targets.ts';
import { actionLabelOf } from '../command/grammar/registry.ts';
import { type CommandLine, readCommandLine } from '../command/grammar/command-line.ts';
import type { Suggestion } from '../model/records/suggestion.ts';
import { suggestionKey } from './suggested.ts';
import { kindOf, type Target } from '../model/rulebook/target.ts';
import { capitalized, clip } from '../text/words.ts';

export interface AlertButton {
  readonly key: string;
  readonly text: string;
  readonly command: CommandLine;
  /** The target's name, if the button is about one. */
  readonly target?: string | undefined;
}

type ButtonRules = Pick<Rules, 'registry' | 'rulebook'>;

/** A message's buttons under the current rules, of which a message shows the first. Empty if nothing in the message fires any more, or if its hook was removed. */
export function alertButtons(context: ButtonRules, message: AlertMessage): readonly AlertButton[] {
  const suggestion = message.group?.content.suggestion;
  if (suggestion) return isFiring(message) ? suggestedButton(context, suggestion) : [];
  const hook = hooksSection.of(context.rulebook())[message.hook];
  if (!hook || !isFiring(message)) return [];
  const alerts = (message.group?.content.alerts ?? []).filter(({ status }) => status === 'firing');
  const offered = hook.buttons.flatMap((button) => {
    const fitting = alerts.filter((alert) => matches(button, alert));
    if (button.run.includes('{target}'))
      return fitting.flatMap((alert) => {
        const target = targetOf(alert, hook.targetLabel, context.rulebook().inventory);
        return target ? (buttonFor(context, button, target) ?? []) : [];
      });
    // A storm shows many alerts, so it gets only buttons without conditions.
    const fits = message.group ? fitting.length > 0 : Object.keys(button.when).length === 0;
    return fits ? (buttonFor(context, button) ?? []) : [];
  });
  const each = [...new Map(offered.map((button) => [button.key, button])).values()];
  const texts = Map.groupBy(each, ({ text }) => text);
  return each.map(({ key, text, command, target }) => {
    const isClear = target === undefined || texts.get(text)?.length === 1;
    // The name stays whole within Slack's limit for buttons.
    return { key, text: isClear ? text : `${clip(text, 73 - target.length)}: ${target}`, command, target };
  });
}

/** The one button of a suggestion. Empty if the command would do something else under the current rules and inventory. */
function suggestedButton(
  { registry, rulebook }: ButtonRules,
  suggestion: Suggestion,
): readonly AlertButton[] {
  const { agents, inventory } = rulebook();
  if (!Object.hasOwn(agents, suggestion.agent)) return [];
  return rescue(
    () => {
      const command = readCommandLine(registry, suggestion.words);
      const resolved = resolveTyped(registry, inventory, command.area, command.text);
      if (suggestionKey(resolved) !== suggestion.key) return [];
      const { entry, values, target } = resolved;
      const action = actionLabelOf(entry, { operation: entry.operation.name, input: values });
      return [{ key: keyOf(command), text: `${capitalized(action)} ${nameOnButton(target)}…`, command }];
    },
    () => [],
  );
}

/** The agent typed the bucket's name, so a button shows the name only if it looks like one. */
const nameOnButton = ({ kind, name }: Target): string =>
  kind !== 'bucket' || /^[\w./-]{1,60}$/u.test(name) ? name : 'a bucket';

const matches = ({ when }: HookButton, { labels }: Alert): boolean =>
  Object.entries(when).every(
    ([name, values]) => Object.hasOwn(labels, name) && values.includes(labels[name] ?? ''),
  );

function buttonFor(
  { registry, rulebook }: ButtonRules,
  { run, label }: HookButton,
  target?: AlertTarget,
): AlertButton | undefined {
  const command = splitButtonCommand(run, target?.name);
  // Undefined if the operation does not fit this target, or if the operation's extension was switched off.
  const resolved = rescue(() => resolveTyped(registry, rulebook().inventory, command.area, command.text));
  if (!resolved || (target && kindOf(resolved.target) !== target.kind)) return undefined;
  return { key: keyOf(command), text: label ?? wordsOf(resolved), command, target: target?.name };
}

const keyOf = ({ area, text }: CommandLine): string => hash('sha256', `${area} ${text}`).slice(0, 16);

/** For example `Reboot web-1…` for a change, which will ask first, or `CDN metrics 5xx` for a read. */
function wordsOf({ entry, values, input, target }: ResolvedCommand): string {
  const { operation, area, verb, fields } = entry;
  const isRead = riskOf(operation, input) === 'read';
  if (!isRead && fields.some((field) => field.target !== undefined))
    return `${capitalized(actionLabelOf(entry, { operation: operation.name, input: values }))} ${target.name}…`;
  const given = fields.flatMap(({ name, positional }) => (positional ? [values[name] ?? []].flat() : []));
  const words = [area === 'cdn' ? 'CDN' : capitalized(area), verb.replaceAll('-', ' '), ...given.map(String)];
  return `${words.join(' ')}${isRead ? '' : '…'}`;
}
