import type { Request } from '../../core/request/request.ts';
import { contextBlock, type Message, section } from '../render/blocks.ts';
import { safeLine } from '../render/escape.ts';
import { noticeLines } from '../render/report/report.ts';

/** What “Check now” came to, for whoever clicked it. */
export function renderCheck(request: Request, notices: readonly string[]): Message {
  const text = checkText(request);
  return {
    text,
    blocks: [section(text), ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))])],
  };
}

function checkText({ state, outcome, target }: Request): string {
  const name = safeLine(target.name, 200);
  if (state !== 'unknown') return `It is settled: ${name}, ${state}. The card has the evidence.`;
  const seen = [outcome?.look?.title, outcome?.search?.seen].filter((said) => said !== undefined);
  if (seen.length === 0) return `${name} could not be read just now. Try again in a moment.`;
  return `Looked just now. ${seen.map((said) => safeLine(said, 500)).join(' · ')} The outcome is still unknown.`;
}
