import type { Endpoint } from '../endpoint.ts';
import { readOneInstance, rebootInstance, stopInstance } from './instances.ts';

/** Every endpoint of the service, by row. */
export const endpoints: readonly Endpoint[] = [rebootInstance, stopInstance, readOneInstance];
