import type { Registry } from '../registry.ts';
import type { ClickAction } from '../request/click-types.ts';
import type { Item, ItemButton } from '../model/report.ts';
import type { Request } from '../request/request.ts';

/** `Reboot web-1` of `reboot`, `Change raw logs of CDN account` of `change raw logs of`. */
function deed(verb: string, name: string): string {
  const words = verb.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${name}`;
}

/** A request as one of a list. One whose outcome is unknown can be asked for anew. */
export function requestItem(registry: Registry, request: Request, actions: readonly ClickAction[]): Item {
  const entry = registry.find(request.operation);
  const title = deed(entry?.deed ?? request.operation, request.target.name);
  const risk = entry?.operation.risk ?? 'destructive';
  const harm = risk === 'read' ? 'none' : risk;
  const pressed = actions.map((action): ItemButton => {
    const harms = action === 'confirm' || action === 'approve';
    const text = action === 'confirm' ? title : texts[action];
    return { action, text, value: request.id, harm: harms ? harm : 'none' };
  });
  const again: ItemButton = { action: 'again', text: 'Ask again', value: request.id, harm: 'none' };
  return {
    title,
    state: request.state,
    id: request.id,
    by: request.requester,
    at: request.createdAt,
    ...(request.reason === undefined ? {} : { why: request.reason }),
    buttons: request.state === 'unknown' && entry ? [again] : pressed,
  };
}

const texts: Readonly<Record<Exclude<ClickAction, 'confirm'>, string>> = {
  cancel: 'Cancel',
  approve: 'Approve',
  deny: 'Deny',
};
