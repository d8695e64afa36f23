import got from 'got';

export const read = (url, headers) => got(url, { headers }).json();
