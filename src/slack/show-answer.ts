import type { Answer } from '../core/ask.ts';
import { openForm } from './open-form.ts';
import { answerPrivately, type Recipient } from './private-answer.ts';
import { renderPostProblem } from './render-post-problem.ts';
import { renderReport } from './render-report.ts';
import type { Surface } from './surface.ts';

/** Shows what an ask came to: a private report, the request's card in the channel, or a form. */
export async function showAnswer(
  surface: Surface,
  recipient: Recipient,
  triggerId: string | undefined,
  answer: Answer,
): Promise<void> {
  switch (answer.kind) {
    case 'report':
      return answerPrivately(surface, recipient, (modern) =>
        renderReport(answer.report, {
          ...(answer.words === undefined ? {} : { words: answer.words }),
          shareable: answer.words !== undefined && answer.report.items.length === 0,
          modern,
          now: surface.clock.now(),
          notices: surface.notices,
        }),
      );
    case 'request': {
      const problem = await surface.cards.shown(answer.request.id);
      if (problem === undefined) return undefined;
      return answerPrivately(surface, recipient, () =>
        renderPostProblem(answer.request, problem, surface.notices),
      );
    }
    case 'form':
      return openForm(surface, recipient, triggerId, answer);
  }
}
