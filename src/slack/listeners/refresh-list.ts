import type { Clicked } from './button-click.ts';
import { answerPrivately } from './reply.ts';
import { renderReport } from '../render/report/report.ts';
import { showHome } from './show-home.ts';
import type { Surface } from './context.ts';

const words = '/bellhop requests';

/** After a press in a list, private or on the Home tab, the list shows what is true now. */
export async function refreshList(surface: Surface, { body, asker, recipient }: Clicked): Promise<void> {
  if (body.view?.type === 'home') return showHome(surface, asker);
  if (body.container?.is_ephemeral !== true) return;
  const answer = await surface.executor.askWords(asker, 'bellhop', 'requests');
  if (answer.kind !== 'report') return;
  const { clock, notices } = surface;
  const options = { words, shareable: false, now: clock.now(), notices };
  await answerPrivately(surface, recipient, (modern) => renderReport(answer.report, { ...options, modern }), {
    replaceOriginal: true,
  });
}
