import { BellhopError } from '../model/values/errors.ts';
import type { Guess } from '../text/nearest.ts';
import { maskedInHook, OwnWord } from './own-hook.ts';

export { z } from 'zod';

export { operation } from './operation.ts';
export { channelText, momentText, nameOf, numberOption, personText } from './parts/input.ts';
export {
  countText,
  given,
  givenFacts,
  isNotFound,
  itemCount,
  momentOf,
  numbers,
  tableOf,
  texts,
} from './parts/report-parts.ts';
export { formatter } from '../text/exact.ts';
export { readHost } from '../text/host.ts';
export { writtenMoment, writtenPeriod } from '../text/moments.ts';
export { didYouMean, guessOf } from '../text/nearest.ts';
export { factOf } from '../text/parts.ts';
export {
  abridged,
  durationText,
  listed,
  nameOfId,
  quoteWord,
  readAs,
  readDuration,
  readZone,
  splitItems,
} from '../text/words.ts';
export type {
  ChangeTasks,
  ChangeWatch,
  ConnectHttp,
  EarlierRequest,
  FormContext,
  FormPlan,
  Http,
  InputFault,
  LookUp,
  Observation,
  Operation,
  Period,
  PreviewContext,
  ReadContext,
  RunContext,
  Task,
} from '../model/operation.ts';
export type { Chart, Csv, Fact, NextCommand, ReportParts, Table, Tone } from '../model/values/report.ts';
export type {
  BellhopTarget,
  BucketTarget,
  CdnResourceTarget,
  CdnTarget,
  ContainerTarget,
  InstanceTarget,
  Inventory,
  OwnTarget,
  ProjectTarget,
  StorageTarget,
} from '../model/rulebook/target.ts';

/** In UTF-16 units. People see at most this much of a text. */
const longest = 1000;

const said = (text: unknown): string => maskedInHook(String(text)).slice(0, longest);

/**
 * `run` throws this error if the service refused, so that nothing was done. The text says why, and what to do.
 * @param guess the likely meaning of a typed text, for a button that runs the corrected command
 */
export const refused = (text: string, guess?: Guess): Error =>
  new OwnWord('rejected', said(text), {
    guess: guess && { typed: said(guess.typed), words: guess.words.slice(0, 3).map(said) },
  });

/**
 * `run` throws this error if nothing was sent. The text says why, and what to do.
 * @param cause an error of `http`, which says whether the same call may succeed later
 */
export const notSent = (text: string, cause?: unknown): Error =>
  new OwnWord('not-sent', said(text), {
    cause,
    retryable: cause instanceof BellhopError && cause.retryable,
  });
