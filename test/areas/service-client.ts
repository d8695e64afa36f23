import { cdnEndpoints } from '../../src/areas/cdn/client/endpoints.ts';
import { cdn } from '../../src/areas/cdn/index.ts';
import { cloudEndpoints } from '../../src/areas/cloud/client/endpoints.ts';
import { cloud } from '../../src/areas/cloud/index.ts';
import { storageEndpoints } from '../../src/areas/storage/client/endpoints.ts';
import { storage } from '../../src/areas/storage/index.ts';
import { createServiceClient as create, type ServiceClientOptions } from '../../src/service/client.ts';

/** The client as in production, with the types of the calls of all areas. */
export const createServiceClient = (options: ServiceClientOptions) => create([cloud, cdn, storage], options);

export type ServiceClient = ReturnType<typeof createServiceClient>;

export const endpoints = { ...cloudEndpoints, ...cdnEndpoints, ...storageEndpoints };

export type EndpointName = keyof typeof endpoints;
