import type { ActionsBlock, ContextBlock, KnownBlock, SectionBlock, TextObject } from '@slack/types';
import { describe, expectTypeOf, it } from 'vitest';
import type { AcceptedBlock } from '../../../workspace/blocks/layout.ts';

type Accepted<Type extends AcceptedBlock['type']> = Extract<AcceptedBlock, { type: Type }>;

/** Slack accepts mrkdwn in the descriptions of their options. Slack's types have only plain text. */
type Choices = 'checkboxes' | 'radio_buttons';

// Slack's own types say what a block is. Most blocks are compared with them in the schemas (`satisfies`), and the rest
// here. Pictures are an exception: @slack/types says "one of image_url and slack_file" by a union, and the schema by a
// refinement.
describe('what the workspace accepts is what @slack/types describes', () => {
  it('in every block but charts, which are not in @slack/types yet', () => {
    expectTypeOf<Exclude<AcceptedBlock['type'], KnownBlock['type']>>().toEqualTypeOf<'data_visualization'>();
  });

  it('in sections', () => {
    expectTypeOf<Omit<Accepted<'section'>, 'accessory'>>().toExtend<Omit<SectionBlock, 'accessory'>>();
    type Accessory = Exclude<NonNullable<Accepted<'section'>['accessory']>, { type: 'image' | Choices }>;
    expectTypeOf<Accessory>().toExtend<NonNullable<SectionBlock['accessory']>>();
  });

  it('in contexts', () => {
    type Texts = Exclude<Accepted<'context'>['elements'][number], { type: 'image' }>;
    expectTypeOf<Texts>().toExtend<TextObject>();
    expectTypeOf<Texts>().toExtend<ContextBlock['elements'][number]>();
  });

  it('in actions', () => {
    type Elements = Exclude<Accepted<'actions'>['elements'][number], { type: Choices }>;
    expectTypeOf<Elements>().toExtend<ActionsBlock['elements'][number]>();
  });
});
