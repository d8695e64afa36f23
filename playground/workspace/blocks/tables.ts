import type { DataTableBlock, TableBlock } from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { blockIdSchema } from './composition.ts';
import { richTextSchema } from './rich-text.ts';

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) });
const rawNumber = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: z.string().min(1),
});
const cellSchema = z.discriminatedUnion('type', [rawText, rawNumber, richTextSchema]);
type Cell = z.infer<typeof cellSchema>;

/** How many characters a cell shows. */
function cellLength(cell: Cell): number {
  return cell.type === 'rich_text' ? richTextLength(cell) : cell.text.length;
}

function richTextLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + richTextLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? value.text.length : 0;
  return own + ('elements' in value ? richTextLength(value.elements) : 0);
}

function textOf(rows: readonly (readonly Cell[])[]): number {
  return rows.flat().reduce((sum, cell) => sum + cellLength(cell), 0);
}

export const tableSchema = z
  .strictObject({
    type: z.literal('table'),
    block_id: blockIdSchema,
    rows: z.array(z.array(cellSchema).min(1).max(LIMITS.tableColumns)).min(1).max(LIMITS.tableRows),
    column_settings: z
      .array(
        z
          .strictObject({
            align: z.enum(['left', 'center', 'right']).exactOptional(),
            is_wrapped: z.boolean().exactOptional(),
          })
          .nullable()
          .transform((settings) => settings ?? {}),
      )
      .max(LIMITS.tableColumns)
      .exactOptional(),
  })
  .refine((table) => textOf(table.rows) <= LIMITS.tableText, {
    path: ['rows'],
    message: `must be less than ${LIMITS.tableText + 1} characters in all cells`,
  }) satisfies z.ZodType<TableBlock>;

export const dataTableSchema = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockIdSchema,
    caption: z.string().min(1),
    rows: z.array(z.array(cellSchema).min(1).max(LIMITS.dataTableColumns)).min(2).max(LIMITS.dataTableRows),
    page_size: z.number().int().min(1).max(LIMITS.dataTablePage).exactOptional(),
    row_header_column_index: z.number().int().min(0).exactOptional(),
  })
  .superRefine((table, issues) => {
    const [header = []] = table.rows;
    const refuse = (path: (string | number)[], message: string) =>
      issues.addIssue({ code: 'custom', path, message });
    if (header.some((cell) => cell.type === 'rich_text'))
      refuse(['rows', 0], 'must not have rich_text in the header');
    table.rows.forEach((row, index) => {
      if (row.length !== header.length)
        refuse(['rows', index], `must have ${header.length} cells like the header`);
    });
    if ((table.row_header_column_index ?? 0) >= header.length)
      refuse(['row_header_column_index'], 'must be a column of the table');
    if (textOf(table.rows) > LIMITS.dataTableText)
      refuse(['rows'], `must be less than ${LIMITS.dataTableText + 1} characters in all cells`);
  }) satisfies z.ZodType<DataTableBlock>;
