import type { CommandResult } from '../../core/command/run-command.ts';
import { openForm } from '../forms/open-form.ts';
import { answerPrivately, type Recipient } from './reply.ts';
import { renderPostProblem, whyNotPosted } from '../render/post-problem.ts';
import { renderReport } from '../render/report/report.ts';
import type { SlackContext } from './context.ts';

/** Shows what an ask came to: a private report, the request's card in the channel, or a form. */
export async function showAnswer(
  context: SlackContext,
  recipient: Recipient,
  triggerId: string | undefined,
  answer: CommandResult,
): Promise<void> {
  switch (answer.kind) {
    case 'report':
      return answer.follow === undefined
        ? showReport(context, recipient, answer)
        : followReport(context, recipient, answer);
    case 'request': {
      const problem = await context.cards.shown(answer.request.id);
      if (problem === undefined) return undefined;
      return answerPrivately(context, recipient, () =>
        renderPostProblem(answer.request, problem, context.notices),
      );
    }
    case 'form':
      return openForm(context, recipient, triggerId, answer);
  }
}

type ReportAnswer = Extract<CommandResult, { kind: 'report' }>;

const showReport = (context: SlackContext, recipient: Recipient, answer: ReportAnswer, status?: string) =>
  answerPrivately(context, recipient, (modern) =>
    renderReport(answer.report, {
      ...(answer.words === undefined ? {} : { words: answer.words }),
      shareable: answer.words !== undefined && answer.report.items.length === 0,
      modern,
      now: context.clock.now(),
      ...(status === undefined ? {} : { status }),
      notices: context.notices,
    }),
  );

/** In the channel where that can be; else the one look, privately, with the reason. */
async function followReport(
  context: SlackContext,
  recipient: Recipient,
  answer: ReportAnswer,
): Promise<void> {
  const { words } = answer;
  if (words === undefined) return showReport(context, recipient, answer);
  try {
    await context.followers.follow(recipient.caller, { ...answer, words });
  } catch (error) {
    context.log.warn({ err: error, words }, 'an answer is not followed');
    await showReport(context, recipient, answer, `Not followed: ${whyNotPosted(error)}`);
  }
}
