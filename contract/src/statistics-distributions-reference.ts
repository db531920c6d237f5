import type { z } from 'zod'
import { reference } from './reference.ts'
import * as statisticsDistributions from './statistics-distributions.ts'
import { vehicleLocationExample } from './vehicle-reference.ts'

const summaryOfStationExample: z.input<typeof statisticsDistributions.summaryOfStation> = {
  location: vehicleLocationExample,
  days: 63,
  unfinishedDays: 0,
  completeDays: 35,
  adt: 37.3,
  adtOfDayparts: { day: 18.8, evening: 5.9, night: 12.6 },
  adtTuesdayToThursday: 25.3,
  aadt: 25.6,
  months: 2,
  monthFactors: [{ month: '2026-05-01', mean: 25.9, factor: 0.989 }],
  weekdayFactors: [
    { weekday: 0, mean: 25.5, factor: 1.0028 },
    { weekday: 1, mean: 25.5, factor: 1.0028 },
  ],
  vehicles: 1374,
  heavyVehicles: 876,
  adtHeavy: 23.7,
  notCounted: null,
  categories: [{ category: 'lack', vehicles: 240, weighed: 193, judged: 193, overloaded: 56 }],
  overloadedShare: 0.3532,
  meanSpeed: 88.8,
  v85: 111,
  speedLimit: 100,
  meanHeadway: 313.37,
  equivalents: { n100: 2295.856679097102, n115: 1312.663507690211, overloadedShare: 0.6158, avoidableShare: 0.3325 },
  n100PerDay: 36.442169509477814,
}

const ERRORS = {
  404: ['location-not-found'],
  422: [
    'start-after-end',
    'too-many-periods',
    'too-many-vehicles-to-count',
    'too-many-vehicles-today',
    'vehicles-deleted',
  ],
  503: ['figures-not-derived'],
} as const

export const statisticsDistributionsReference = reference('Statistics', statisticsDistributions, {
  equivalentAxles: {
    errors: ERRORS,
    query: { from: '2026-09-01', until: '2026-11-30', locations: '5,6', laneNumbers: '1' },
    response: [
      {
        location: vehicleLocationExample,
        n100: 346.02608082742665,
        n115: 197.8415347729184,
        overloadedShare: 0.5008,
        avoidableShare: 0.2488,
        days: 5,
        n100PerDay: 69.20521616548533,
        months: [
          {
            n100: 119.10253382509799,
            n115: 68.09726027285379,
            overloadedShare: 0.4553,
            avoidableShare: 0.2711,
            month: '2026-10-01',
            weighed: 59,
          },
        ],
      },
    ],
  },
  headway: {
    errors: ERRORS,
    query: { from: '2026-09-01', until: '2026-12-03', locations: '5,6' },
    response: [
      {
        location: vehicleLocationExample,
        edges: [0, 0.5, 1, 1.5, 2, 2.5],
        counts: [97, 20, 13, 11, 6, 5],
        heavyCounts: [65, 13, 9, 9, 5, 3],
        mean: 127.56,
        shareBelow1: 0.2199,
        shareBelow2: 0.265,
      },
    ],
  },
  loads: {
    errors: ERRORS,
    query: { from: '2026-09-01', until: '2026-12-03', locations: '7', laneNumbers: '2' },
    response: [
      {
        location: vehicleLocationExample,
        vehicles: 50,
        weighed: 50,
        judged: 0,
        overloaded: 0,
        limits: { gross: 40_000, drivingAxle: 11_500, otherAxle: 10_000 },
        overloadBasis: 'minimum',
        meanLoad: 11200,
        axles: 100,
        gross: { width: 1, counts: [0, 0, 0, 0, 0, 0] },
        spectra: [
          {
            kind: 'first',
            groups: 50,
            tonnes: { width: 0.5, counts: [0, 0, 0, 0, 0, 0] },
            kilonewtons: { width: 5, counts: [0, 0, 0, 0, 0, 0] },
          },
        ],
      },
    ],
  },
  profile: {
    errors: ERRORS,
    query: { from: '2025-10-01', until: '2026-12-03', locations: '5,6', laneNumbers: '2', ctg8p1: '3,9,lack' },
    response: [
      {
        location: vehicleLocationExample,
        weekdays: [
          [7, 2, 0, 1, 1, 1],
          [1, 2, 0, 1, 1, 1],
        ],
        weekdayMeans: [
          [0.88, 0.25, 0, 0.13, 0.13, 0.33],
          [0.14, 0.29, 0, 0.14, 0.14, 0.25],
        ],
        dailyMeans: [0.33, 0.22, 0.09, 0.19, 0.29, 0.42],
      },
    ],
  },
  report: {
    errors: ERRORS,
    query: { from: '2026-10-20', until: '2026-10-20', locations: '7', reportType: 'csv' },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  speed: {
    errors: ERRORS,
    query: { from: '2026-09-01', until: '2026-11-02', locations: '5', laneNumbers: '1' },
    response: [
      {
        location: vehicleLocationExample,
        first: 56,
        counts: [1, 1, 1, 1, 1, 1],
        mean: 61.5,
        v85: 66,
        speedLimit: 100,
        measured: 6,
        aboveLimit: 0,
        aboveLimitBy10: 0,
      },
    ],
  },
  summary: {
    errors: ERRORS,
    query: { from: '2025-10-01', until: '2026-12-03', locations: '5,6' },
    response: [summaryOfStationExample],
  },
})
