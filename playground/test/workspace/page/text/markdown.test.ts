import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../../../workspace/page/text/markdown.js';

const text = (content: string) => ({ kind: 'text', text: content });

/** The words of a paragraph of one line. */
function words(source: string) {
  const [paragraph] = parseMarkdown(source);
  if (paragraph?.kind !== 'paragraph') throw new Error(`no paragraph: ${source}`);
  return paragraph.lines.flat();
}

describe('the words of standard markdown', () => {
  it.each([
    ['**bold** *it* ~~no~~', ['bold', 'text', 'italic', 'text', 'strike']],
    ['`**code**`', ['code']],
    ['snake_case_name', ['text']],
    ['2 * 3 * 4', ['text']],
    ['[here](https://example.org)', ['link']],
    ['<https://example.org> and https://example.org.', ['link', 'text', 'link', 'text']],
    ['[press](javascript:alert(1))', ['text']],
    ['![pixel](https://example.org/p.png)', ['link']],
    ['<img src=x onerror=alert(1)>', ['text']],
  ])('%s', (line, kinds) => {
    expect(words(line).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('takes a backslash for what follows it', () => {
    expect(words('\\*not\\*')).toEqual([text('*'), text('not'), text('*')]);
  });
});

describe('the parts of standard markdown', () => {
  it('are distinguished by their lines', () => {
    const source = [
      '# Title',
      'One line',
      'and its next',
      '',
      '- a',
      '- b',
      '',
      '3. c',
      '> said',
      '---',
      '| a | b |',
      '|---|:-:|',
      '| 1 | 2 |',
      '```ts',
      '# not a title',
      '```',
      'end',
    ].join('\n');
    expect(parseMarkdown(source)).toMatchObject([
      { kind: 'heading', level: 1 },
      { kind: 'paragraph', lines: [expect.anything(), expect.anything()] },
      { kind: 'list', ordered: false, items: [expect.anything(), expect.anything()] },
      { kind: 'list', ordered: true, start: 3 },
      { kind: 'quote' },
      { kind: 'rule' },
      {
        kind: 'table',
        rows: [
          [expect.anything(), expect.anything()],
          [expect.anything(), expect.anything()],
        ],
      },
      { kind: 'pre', text: '# not a title' },
      { kind: 'paragraph' },
    ]);
  });
});
