/** A site on the CDN: one host name of a resource. `daily` is its 2xx answers a day, `bytes` the size of one. */
export interface Site {
  readonly cname: string;
  readonly resource: number;
  readonly daily: number;
  readonly bytes: number;
  readonly hitRatio: number;
  /** How far its day is shifted, in seconds. */
  readonly shift: number;
  /** How much of an incident affects the site, at most 1. */
  readonly fragility: number;
}

/** The sites, with 20 to 60 million 2xx answers a day each. */
export const sites: readonly Site[] = [
  {
    cname: 'www.shop.example',
    resource: 1001,
    daily: 23_000_000,
    bytes: 38_000,
    hitRatio: 0.86,
    shift: 0,
    fragility: 0.6,
  },
  {
    cname: 'static.shop.example',
    resource: 1001,
    daily: 27_500_000,
    bytes: 22_000,
    hitRatio: 0.98,
    shift: 1200,
    fragility: 0.15,
  },
  {
    cname: 'img.shop.example',
    resource: 1002,
    daily: 44_000_000,
    bytes: 61_000,
    hitRatio: 0.96,
    shift: 2400,
    fragility: 0.3,
  },
  {
    cname: 'video.media.example',
    resource: 1003,
    daily: 31_000_000,
    bytes: 740_000,
    hitRatio: 0.93,
    shift: 9000,
    fragility: 0.4,
  },
  {
    cname: 'api.shop.example',
    resource: 1004,
    daily: 51_000_000,
    bytes: 4200,
    hitRatio: 0.31,
    shift: 600,
    fragility: 1,
  },
];

/** Providers of the visitors by region, with their share of all visitors in thousandths. */
const providers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'Western Europe': { 'Deutsche Telekom': 150, Orange: 140, Vodafone: 130 },
  'Eastern Europe': { 'Orange Polska': 90, 'Magyar Telekom': 70 },
  'North America': { Comcast: 120, 'AT&T': 80, Rogers: 40 },
  'Asia Pacific': { NTT: 70, Singtel: 60 },
  'Latin America': { Claro: 30, Movistar: 20 },
};

/** Visitors of one site who come from one region through one provider: the smallest thing that is counted. */
export interface Audience {
  readonly site: Site;
  readonly resource: number;
  readonly cname: string;
  readonly region: string;
  readonly isp: string;
  /** Their share of the visitors of the site. */
  readonly share: number;
}

/** Every audience. The shares of one site add up to 1. */
export const audiences: readonly Audience[] = sites.flatMap((site) =>
  Object.entries(providers).flatMap(([region, isps]) =>
    Object.entries(isps).map(([isp, thousandths]) => ({
      site,
      resource: site.resource,
      cname: site.cname,
      region,
      isp,
      share: thousandths / 1000,
    })),
  ),
);
