import type { Answer } from '../../core/command/run-command.ts';
import { openForm } from '../forms/open-form.ts';
import { answerPrivately, type Recipient } from './reply.ts';
import { renderPostProblem, whyNotPosted } from '../render/post-problem.ts';
import { renderReport } from '../render/report/report.ts';
import type { Surface } from './context.ts';

/** Shows what an ask came to: a private report, the request's card in the channel, or a form. */
export async function showAnswer(
  surface: Surface,
  recipient: Recipient,
  triggerId: string | undefined,
  answer: Answer,
): Promise<void> {
  switch (answer.kind) {
    case 'report':
      return answer.follow === undefined
        ? showReport(surface, recipient, answer)
        : followReport(surface, recipient, answer);
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

type ReportAnswer = Extract<Answer, { kind: 'report' }>;

const showReport = (surface: Surface, recipient: Recipient, answer: ReportAnswer, status?: string) =>
  answerPrivately(surface, recipient, (modern) =>
    renderReport(answer.report, {
      ...(answer.words === undefined ? {} : { words: answer.words }),
      shareable: answer.words !== undefined && answer.report.items.length === 0,
      modern,
      now: surface.clock.now(),
      ...(status === undefined ? {} : { status }),
      notices: surface.notices,
    }),
  );

/** In the channel where that can be; else the one look, privately, with the reason. */
async function followReport(surface: Surface, recipient: Recipient, answer: ReportAnswer): Promise<void> {
  const { words } = answer;
  if (words === undefined) return showReport(surface, recipient, answer);
  try {
    await surface.followers.follow(recipient.asker, { ...answer, words });
  } catch (error) {
    surface.log.warn({ err: error, words }, 'an answer is not followed');
    await showReport(surface, recipient, answer, `Not followed: ${whyNotPosted(error)}`);
  }
}
