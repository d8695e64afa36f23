import type { Button } from '@slack/types';

import type { AlertButton } from '../../core/alerts/buttons.ts';
import { button } from '../render/blocks.ts';

/** The buttons under an alert. Ids differ within a block, as Slack asks. */
export const alertActions = ['alert:0', 'alert:1', 'alert:2', 'alert:3', 'alert:4'] as const;

/** Their value says which alert and which button, and never what it runs. */
export const renderAlertButtons = (messageId: string, offered: readonly AlertButton[]): readonly Button[] =>
  alertActions.flatMap((action, at) => {
    const one = offered[at];
    return one ? [button({ text: one.text, action, value: `${messageId} ${one.key}` })] : [];
  });

export function parseAlertValue(value = ''): { readonly messageId: string; readonly key: string } {
  const [messageId = '', key = ''] = value.slice(0, 200).split(' ');
  return { messageId, key };
}
