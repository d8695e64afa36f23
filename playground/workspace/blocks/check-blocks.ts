import { isDeepStrictEqual } from 'node:util';
import { LIMITS, SURFACES, type Surface } from '../limits.ts';
import type { DrawnBlock } from '../protocol.ts';
import {
  allBlocks,
  blockElements,
  offeredOptions,
  withInner,
  type Placed,
  type PlacedBlock,
} from './block-elements.ts';
import { blockSchema, type AcceptedBlock } from './layout.ts';
import { slackIssue, slackIssues } from './slack-issue.ts';

export type NamedBlock = AcceptedBlock & DrawnBlock;
export type CheckedBlocks =
  | { readonly ok: true; readonly blocks: NamedBlock[] }
  | {
      readonly ok: false;
      readonly error: 'invalid_blocks' | 'invalid_attachments' | 'msg_blocks_too_long';
      readonly messages: string[];
    };

interface CheckOptions {
  readonly surface: Surface;
  /** The path of the blocks in the arguments, `/blocks` or `/view/blocks`. */
  readonly at: string;
  /** A block_id for a block that has none. */
  readonly newBlockId: () => string;
  readonly hasFile: (id: string) => boolean;
}

function refuse(messages: string[]): CheckedBlocks {
  return { ok: false, error: 'invalid_blocks', messages };
}

/** Tables of both kinds, including those inside other blocks. */
export const nativeTables = (blocks: readonly AcceptedBlock[]): number =>
  allBlocks(blocks).filter(({ type }) => type === 'table' || type === 'data_table').length;

/** Slack's error names attachments, because it stores tables there. */
export const refuseTables = (at: string) => ({
  ok: false as const,
  error: 'invalid_attachments' as const,
  messages: [slackIssue(at, [], 'only_one_table_allowed')],
});

/** Checks blocks as Slack does and gives each a block_id. Findings point at the offending place. */
export function checkBlocks(input: unknown, options: CheckOptions): CheckedBlocks {
  const { surface, at } = options;
  if (!Array.isArray(input)) return refuse([slackIssue(at, [], 'must provide an array')]);
  const most = surface === 'message' ? LIMITS.messageBlocks : LIMITS.viewBlocks;
  if (input.length > most) return refuse([slackIssue(at, [], `no more than ${most} items allowed`)]);
  const blocks: AcceptedBlock[] = [];
  const messages: string[] = [];
  input.forEach((item: unknown, index) => {
    const parsed = blockSchema.safeParse(item);
    if (parsed.success) blocks.push(parsed.data);
    else messages.push(...slackIssues(parsed.error.issues, `${at}/${index}`, item));
  });
  if (messages.length > 0) return refuse(messages);
  messages.push(
    ...surfaceIssues(blocks, surface, at),
    ...idIssues(blocks, at),
    ...elementIssues(blocks, options),
  );
  if (surface === 'message') messages.push(...messageIssues(blocks, at));
  if (messages.length > 0) return refuse(messages);
  if (surface === 'message' && nativeTables(blocks) > LIMITS.tablesPerMessage) return refuseTables(at);
  if (surface === 'message' && textLength(blocks) > LIMITS.messageBlockText)
    return { ok: false, error: 'msg_blocks_too_long', messages: [] };
  return { ok: true, blocks: blocks.map((block) => named(block, options.newBlockId)) };
}

/** Gives the block and its elements their missing ids. */
function named(block: AcceptedBlock, newId: () => string): NamedBlock {
  for (const inner of allBlocks([block])) {
    inner.block_id ??= newId();
    for (const { element } of blockElements(inner)) element.action_id ??= newId();
  }
  return Object.assign(block, { block_id: block.block_id ?? newId() });
}

function surfaceIssues(blocks: readonly AcceptedBlock[], surface: Surface, at: string): string[] {
  return placedIn(blocks)
    .flatMap(typesIn)
    .filter(({ type }) => SURFACES[type]?.includes(surface) === false)
    .map(({ type, path }) => slackIssue(at, [...path, 'type'], `unsupported type: ${type}`));
}

/** A block and its elements by type, each with its path. */
function typesIn({ block, path: outer }: PlacedBlock) {
  const elements = blockElements(block).map(({ element, path }) => ({
    type: element.type,
    path: [...outer, ...path],
  }));
  return [{ type: block.type, path: outer }, ...elements];
}

/** All blocks, including those inside others, each with its path. */
function placedIn(blocks: readonly AcceptedBlock[]): PlacedBlock[] {
  return blocks.flatMap((outer, index) =>
    withInner(outer).map(({ block, path }) => ({ block, path: [index, ...path] })),
  );
}

function idIssues(blocks: readonly AcceptedBlock[], at: string): string[] {
  const seen = new Set<string>();
  return placedIn(blocks).flatMap(({ block, path }) => {
    const issues: string[] = [];
    if (block.block_id !== undefined && seen.has(block.block_id))
      issues.push(slackIssue(at, [...path, 'block_id'], `\`block_id\` ${block.block_id} already exists`));
    if (block.block_id !== undefined) seen.add(block.block_id);
    const actions = blockElements(block).flatMap(({ element }) => element.action_id ?? []);
    for (const twice of new Set(actions.filter((id, i) => actions.indexOf(id) !== i)))
      issues.push(slackIssue(at, path, `\`action_id\` ${twice} already exists`));
    return issues;
  });
}

function elementIssues(blocks: readonly AcceptedBlock[], { at, hasFile }: CheckOptions): string[] {
  const placed = placedIn(blocks).flatMap(({ block, path: outer }) =>
    blockElements(block).map(({ element, path }) => ({ element, path: [...outer, ...path] })),
  );
  const issues = placed.flatMap((one) => initialIssues(one, at));
  const focused = placed.filter(({ element }) => 'focus_on_load' in element && element.focus_on_load);
  for (const { path } of focused.slice(1))
    issues.push(slackIssue(at, [...path, 'focus_on_load'], 'only one element may be focused on load'));
  placedIn(blocks).forEach(({ block, path }) => {
    if (block.type !== 'image' || block.slack_file === undefined) return;
    const known =
      'id' in block.slack_file ? hasFile(block.slack_file.id) : hasFile(idOfUrl(block.slack_file.url));
    if (!known) issues.push(slackIssue(at, [...path, 'slack_file'], 'invalid slack file'));
  });
  return issues;
}

/** The id in a permalink or a `url_private`. */
function idOfUrl(url: string): string {
  return /\/(?:_workspace\/files\/|files-pri\/\w+-)(\w+)\//.exec(url)?.[1] ?? '';
}

/** An initial choice must be one of the options, with the same text and value. */
function initialIssues({ element, path }: Placed, at: string): string[] {
  const offered = offeredOptions(element);
  if (offered === undefined) return [];
  const initial =
    'initial_option' in element && element.initial_option !== undefined
      ? [element.initial_option]
      : 'initial_options' in element
        ? (element.initial_options ?? [])
        : [];
  return initial.every((option) => offered.some((candidate) => isDeepStrictEqual(candidate, option)))
    ? []
    : [slackIssue(at, path, 'initial option must be one of the options')];
}

function messageIssues(blocks: readonly AcceptedBlock[], at: string): string[] {
  const charts = blocks.filter(({ type }) => type === 'data_visualization').length;
  const markdown = blocks.reduce(
    (sum, block) => sum + (block.type === 'markdown' ? block.text.length : 0),
    0,
  );
  const issues: string[] = [];
  if (charts > LIMITS.chartsPerMessage)
    issues.push(
      slackIssue(at, [], `no more than ${LIMITS.chartsPerMessage} data_visualization blocks allowed`),
    );
  if (markdown > LIMITS.markdown)
    issues.push(slackIssue(at, [], `must be less than ${LIMITS.markdown + 1} characters of markdown`));
  return issues;
}

/** The characters shown, without tables and charts, which have their own limits. */
function textLength(blocks: readonly AcceptedBlock[]): number {
  const counted = blocks.filter(
    (block) => !['table', 'data_table', 'data_visualization'].includes(block.type),
  );
  return lengthOfTexts(counted);
}

function lengthOfTexts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce<number>(
    (sum, [key, part]) =>
      sum + (key === 'text' && typeof part === 'string' ? part.length : lengthOfTexts(part)),
    0,
  );
}
