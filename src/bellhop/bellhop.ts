export { z } from 'zod';

export { operation } from './operation.ts';
export { notSent, refused } from './outcomes.ts';
export type { ConnectHttp, Http } from '../model/http.ts';
export type {
  ChangeTasks,
  ChangeWatch,
  FormContext,
  FormPlan,
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
export type { Fact, ReportParts } from '../model/report.ts';
export type { OwnTarget } from '../model/target.ts';
