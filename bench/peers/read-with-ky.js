import ky from 'ky';

export const read = (url, headers) => ky.get(url, { headers }).json();
