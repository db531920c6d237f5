import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { reportLink } from './reports.ts'
import { categories, timeClassCountry, vehicleLocation } from './vehicle.ts'
import { day, queryInts, queryTexts } from './wire.ts'

/*
 * Figures for road engineers, by days in Polish time. Rules and terms: docs/domain.md#traffic-figures. Counts are of whole
 * days; shares are between 0 and 1.
 */

/** Maximum days of a range. */
export const MAX_DISTRIBUTION_DAYS = 4_000

/** Parts of a day, local hours: 06-18, 18-22, 22-06. */
const dayparts = ['day', 'evening', 'night'] as const

/** Why vehicles are not counted one by one, as error codes: they are deleted, or too many. */
const uncountedReasons = ['vehicles-deleted', 'too-many-vehicles-to-count'] as const
export type UncountedReason = (typeof uncountedReasons)[number]

const filters = z.object({
  /** First and last day, both included. */
  from: day,
  until: day,
  locations: queryInts.pipe(z.array(z.int()).min(1, 'required-parameter-missing')),
  laneNumbers: queryInts.optional(),
  ctg8p1: queryTexts.pipe(z.array(z.enum(categories))).optional(),
  ...timeClassCountry.shape,
})
export type DistributionFilters = z.output<typeof filters>
export type WireDistributionFilters = z.input<typeof filters>

const count = z.int()
const figure = z.number().nullable()

/** Equivalent axles by the fourth-power law. */
const equivalents = z.object({
  /** Axles of 100 kN, and of 115 kN. */
  n100: z.number(),
  n115: z.number(),
  /** Share of overloaded vehicles, and of what their overloads add, of vehicles whose overload was judged; null without. */
  overloadedShare: figure,
  avoidableShare: figure,
})

export const summaryOfStation = z.object({
  location: vehicleLocation,
  /** Days with vehicles that are over, and of these the complete ones; `unfinishedDays`: 1 if today has vehicles. */
  days: count,
  unfinishedDays: count,
  completeDays: count,
  /** Average daily traffic (SDR): vehicles of complete days per complete day. */
  adt: figure,
  /** The same of a part of the day, and of Tuesdays to Thursdays. */
  adtOfDayparts: z.object({ day: figure, evening: figure, night: figure }),
  adtTuesdayToThursday: figure,
  /** Annual average (SDRR): the mean of months of the mean of weekdays, of so many months with all weekdays, at most 12. */
  aadt: figure,
  months: count,
  /** Of months with all weekdays: first day of the month; AADT divided by its mean. */
  monthFactors: z.array(z.object({ month: day, mean: z.number(), factor: figure })),
  /** 0 Monday to 6 Sunday; the factor is null without AADT. */
  weekdayFactors: z.array(z.object({ weekday: z.int(), mean: z.number(), factor: figure })),
  vehicles: count,
  heavyVehicles: count,
  /** Heavy vehicles per complete day. */
  adtHeavy: figure,
  /**
   * Why speeds, loads and headways of some hours are not counted: no roll-up has them. Then all figures from here on but the limit
   * are null, and there are no categories.
   */
  notCounted: z.enum(uncountedReasons).nullable(),
  /** By category: vehicles, weighed ones, of these the ones whose overload was judged, and of these overloaded ones. */
  categories: z.array(
    z.object({ category: z.enum(categories), vehicles: count, weighed: count, judged: count, overloaded: count }),
  ),
  /** Of heavy vehicles whose overload was judged; null without any. */
  overloadedShare: figure,
  /** km/h; V85 is the smallest whole speed at or below which 85 % drive. */
  meanSpeed: figure,
  v85: figure,
  speedLimit: figure,
  /** s */
  meanHeadway: figure,
  equivalents: equivalents.nullable(),
  /** Axles of 100 kN per complete day that is over and on which the lanes weighed; null without one. */
  n100PerDay: figure,
})
export type StationSummary = z.output<typeof summaryOfStation>

export const summary = endpoint({
  method: 'GET',
  path: '/statistics/summary',
  access: 'Stat',
  system: true,
  summary:
    'Returns traffic figures of stations: ADT, AADT, heavy and overloaded shares, V85, headway, equivalent axles',
  query: filters,
  response: z.array(summaryOfStation),
})

export const speed = endpoint({
  method: 'GET',
  path: '/statistics/speed',
  access: 'Stat',
  system: true,
  summary: 'Returns the distribution of speeds of each station by whole km/h',
  query: filters.extend({ dayparts: queryTexts.pipe(z.array(z.enum(dayparts))).optional() }),
  response: z.array(
    z.object({
      location: vehicleLocation,
      /** Vehicles of `first` km/h and of each next one. */
      first: count,
      counts: z.array(count),
      mean: figure,
      v85: figure,
      /** Of light vehicles, today. */
      speedLimit: figure,
      /**
       * Vehicles above the limit that was theirs when they passed, and by more than 10 km/h, of `measured` ones; null at a
       * station without a limit.
       */
      measured: count,
      aboveLimit: count.nullable(),
      aboveLimitBy10: count.nullable(),
    }),
  ),
})

export const headway = endpoint({
  method: 'GET',
  path: '/statistics/headway',
  access: 'Stat',
  system: true,
  summary: 'Returns the distribution of headways of each station: times to the vehicle before in the lane',
  query: filters.omit({ ctg8p1: true }),
  response: z.array(
    z.object({
      location: vehicleLocation,
      /** Lower edges of the bins, s; the last bin ends at 600. */
      edges: z.array(z.number()),
      /** Of all vehicles, and of heavy ones. */
      counts: z.array(count),
      heavyCounts: z.array(count),
      /** s */
      mean: figure,
      shareBelow1: figure,
      shareBelow2: figure,
    }),
  ),
})

/** A histogram: bins of one width, [lower, upper), the last without upper bound. */
const histogram = z.object({ width: z.number(), counts: z.array(count) })

export const loads = endpoint({
  method: 'GET',
  path: '/statistics/loads',
  access: 'Stat',
  system: true,
  summary: 'Returns gross weights and axle load spectra of each station',
  query: filters,
  response: z.array(
    z.object({
      location: vehicleLocation,
      vehicles: count,
      weighed: count,
      /** Vehicles whose overload was judged, and of these overloaded ones. */
      judged: count,
      overloaded: count,
      /**
       * The highest limits, kg, in force at the station at the end of the range, or now if that is earlier; `gross` is null if the
       * law has none.
       */
      limits: z.object({ gross: figure, drivingAxle: z.number(), otherAxle: z.number() }),
      /** Overload is judged by the lower bound of the true load, or by what was measured, without a tolerance. */
      overloadBasis: z.enum(['minimum', 'measured']),
      /** kg */
      meanLoad: figure,
      /** Axles of weighed vehicles. */
      axles: count,
      /** Gross weights of weighed vehicles, width in t. */
      gross: histogram,
      /** Loads of axle groups; a first axle alone, other single axles, groups of 2, 3, and more. Widths in t and kN. */
      spectra: z.array(
        z.object({
          kind: z.enum(['first', 'single', 'tandem', 'tridem', 'wider']),
          groups: count,
          tonnes: histogram,
          kilonewtons: histogram,
        }),
      ),
    }),
  ),
})

export const equivalentAxles = endpoint({
  method: 'GET',
  path: '/statistics/equivalents',
  access: 'Stat',
  system: true,
  summary: 'Returns equivalent axles of each station by month',
  query: filters,
  response: z.array(
    z.object({
      location: vehicleLocation,
      ...equivalents.shape,
      /** Complete days that are over and on which these lanes weighed a vehicle of any category, and axles of 100 kN per such day. */
      days: count,
      n100PerDay: figure,
      months: z.array(equivalents.extend({ /** First day. */ month: day, weighed: count })),
    }),
  ),
})

export const profile = endpoint({
  method: 'GET',
  path: '/statistics/profile',
  access: 'Stat',
  system: true,
  summary: 'Returns vehicles of each station by weekday and hour',
  query: filters,
  response: z.array(
    z.object({
      location: vehicleLocation,
      /** From Monday to Sunday: vehicles of each local hour. */
      weekdays: z.array(z.array(count)),
      /**
       * Mean vehicles of each weekday and local hour, and of each hour on any day, over the days on which the station measured
       * it and the lanes had vehicles; null without one. Without today, if the range has other days.
       */
      weekdayMeans: z.array(z.array(z.number().nullable())),
      dailyMeans: z.array(z.number().nullable()),
    }),
  ),
})

/** File types of traffic figures: workbook or tables, one row for each figure or bin. */
export const trafficReports = ['xlsx', 'csv', 'parquet'] as const

export const report = endpoint({
  method: 'GET',
  path: '/statistics/figures/report',
  access: 'Stat',
  summary:
    'Creates a workbook or table (for data frames) of all traffic figures and distributions, a row for each figure or bin; ' +
    'returns a link',
  query: filters.extend({
    /** Categories of loads and equivalent axles, if other ones than `ctg8p1`. */
    loadCtg8p1: queryTexts.pipe(z.array(z.enum(categories))).optional(),
    reportType: z.enum(trafficReports).default('xlsx'),
  }),
  response: reportLink,
  rate: 'report',
})
