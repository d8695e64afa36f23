import { type ResolvedCommand, resolveTyped } from '../../command/resolve.ts';
import type { CommandLine } from '../../command/grammar/command-line.ts';
import type { Log, Rules } from '../../model/ports.ts';
import { rescue } from '../../model/values/errors.ts';
import { filledCommand, placeholdersIn, splitButtonCommand } from './group/button-command.ts';
import { type HookButton, hooksSection } from './group/section.ts';
import { riskOf } from '../../model/operation.ts';
import { isFiring, type OfferMessage } from '../../model/records/offer.ts';
import { offerKey, type OfferButton } from '../../run/press-offer.ts';
import { type Alert, readAlert } from './group/record.ts';
import { targetOf } from './group/subject.ts';
import type { NamedTarget } from '../../command/targets.ts';
import { actionLabelOf } from '../../command/grammar/registry.ts';
import { kindOf } from '../../model/rulebook/target.ts';
import { capitalized, clip } from '../../text/words.ts';

type ButtonRules = Pick<Rules, 'registry' | 'rulebook'> & { readonly log?: Log };

/** The message shows only the first few. Empty if nothing in the message fires any more, or if its hook was removed. */
export function alertButtons(context: ButtonRules, message: OfferMessage): readonly OfferButton[] {
  const hook = hooksSection.of(context.rulebook())[message.source];
  if (!hook || !isFiring(message)) return [];
  const alerts = (readAlert(message.group?.content)?.alerts ?? []).filter(
    ({ status }) => status === 'firing',
  );
  const offered = hook.buttons.flatMap((button) => {
    const fitting = alerts.filter((alert) => matches(button, alert));
    const names = placeholdersIn(button.run);
    if (names.length > 0)
      return fitting.flatMap((alert) => {
        const target = names.includes('target')
          ? targetOf(alert, hook.targetLabel, context.rulebook().inventory)
          : undefined;
        if (names.includes('target') && !target) return [];
        return filledButton(context, message, button, alert, target) ?? [];
      });
    // A storm shows many alerts, so it gets only buttons without conditions.
    const fits = message.group ? fitting.length > 0 : Object.keys(button.when).length === 0;
    return fits ? (buttonFor(context, button, splitButtonCommand(button.run, new Map())) ?? []) : [];
  });
  const each = [...new Map(offered.map((button) => [button.key, button])).values()];
  const texts = Map.groupBy(each, ({ text }) => text);
  return each.map((one) => {
    const alike = texts.get(one.text) ?? [];
    if (alike.length < 2) return one;
    const { key, text, command, target } = one;
    const sameTarget = alike.filter((other) => other.target === target);
    const name = clip((sameTarget.length === 1 ? target : undefined) ?? command.text, 60);
    // The name stays whole within Slack's limit for buttons.
    return { key, text: `${clip(text, 73 - name.length)}: ${name}`, command, target };
  });
}

const matches = ({ when }: HookButton, { labels }: Alert): boolean =>
  Object.entries(when).every(
    ([name, values]) => Object.hasOwn(labels, name) && values.includes(labels[name] ?? ''),
  );

/** Returns undefined, and logs why, if a value is not safe in the command. */
function filledButton(
  context: ButtonRules,
  { id, source }: OfferMessage,
  button: HookButton,
  alert: Alert,
  target: NamedTarget | undefined,
): OfferButton | undefined {
  const filled = filledCommand(context.registry, button.run, target?.name, alert);
  if ('command' in filled) return buttonFor(context, button, filled.command, target);
  context.log?.info({ hook: source, message: id, run: button.run }, `a button is not shown: ${filled.fault}`);
  return undefined;
}

function buttonFor(
  { registry, rulebook }: ButtonRules,
  { label }: HookButton,
  command: CommandLine,
  target?: NamedTarget,
): OfferButton | undefined {
  // Undefined if the operation does not fit this target, or if the operation's extension was switched off.
  const resolved = rescue(() => resolveTyped(registry, rulebook().inventory, command.area, command.text));
  if (!resolved || (target && kindOf(resolved.target) !== target.kind)) return undefined;
  return { key: offerKey(command), text: label ?? wordsOf(resolved), command, target: target?.name };
}

/** For example `Reboot web-1…` for a change, where `…` means that it asks first, or `CDN metrics 5xx` for a read. */
function wordsOf({ entry, values, input, target }: ResolvedCommand): string {
  const { operation, area, verb, fields } = entry;
  const isRead = riskOf(operation, input) === 'read';
  if (!isRead && fields.some((field) => field.target !== undefined))
    return `${capitalized(actionLabelOf(entry, { operation: operation.name, input: values }))} ${target.name}…`;
  const given = fields.flatMap(({ name, positional }) => (positional ? [values[name] ?? []].flat() : []));
  const words = [area === 'cdn' ? 'CDN' : capitalized(area), verb.replaceAll('-', ' '), ...given.map(String)];
  return `${words.join(' ')}${isRead ? '' : '…'}`;
}
