import type { Clicked } from './button-click.ts';
import { answerPrivately } from './reply.ts';
import { renderReport } from '../render/report/report.ts';
import { showHome } from './show-home.ts';
import type { SlackContext } from './context.ts';

const words = '/bellhop requests';

/** After a press in a list, private or on the Home tab, the list shows what is true now. */
export async function refreshList(
  context: SlackContext,
  { body, caller, recipient }: Clicked,
): Promise<void> {
  if (body.view?.type === 'home') return showHome(context, caller);
  if (body.container?.is_ephemeral !== true) return;
  const answer = await context.bellhop.runTypedCommand(caller, 'bellhop', 'requests');
  if (answer.kind !== 'report') return;
  const { clock, notices } = context;
  const options = { words, shareable: false, now: clock.now(), notices };
  await answerPrivately(context, recipient, (modern) => renderReport(answer.report, { ...options, modern }), {
    replaceOriginal: true,
  });
}
