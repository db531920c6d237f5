import * as endpoints from '@rogatka/contract/statistics-distributions.ts'
import { fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { dayparts } from '@rogatka/domain/statistics/dayparts.ts'
import { HEADWAY_BINS, headwayEdge, headwaysBelow } from '@rogatka/domain/statistics/headways.ts'
import { binWidth, GROSS_BIN_KG, spectrumKinds } from '@rogatka/domain/statistics/loadSpectra.ts'
import { meanSpeed, v85, vehiclesAbove } from '@rogatka/domain/statistics/speedDistribution.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import { type Database, type Pool, SNAPSHOT } from '../core/database.ts'
import { type Api, route } from '../core/route.ts'
import {
  axleCells,
  grossCells,
  headwayCells,
  loadCells,
  speedCells,
  weekdayHours,
} from './distribution-read-queries.ts'
import {
  byLocation,
  type DistributionRequest,
  equivalentsOf,
  histogramOf,
  meanHeadway,
  planRequest,
  rounded,
  shareOf,
  speedsOf,
  summarise,
  sumOf,
} from './distributions.ts'

/** Registers the routes of traffic figures for road engineers. */
export function distributionRoutes(api: Api): void {
  route(api, endpoints.summary, (call) => read(call, summarise))

  route(api, endpoints.speed, (call) =>
    read(call, async (db, { locations, plan, scope }) => {
      const selected = call.query.dayparts?.map((part) => dayparts.indexOf(part) + 1) ?? []
      const cells = byLocation(await speedCells(db, plan, scope, selected.length > 0 ? selected : null))
      return locations.map((location) => {
        const { speedLimit } = location
        const speeds = speedsOf(cells(location.id))
        return {
          location,
          ...speeds,
          mean: meanSpeed(speeds),
          v85: v85(speeds),
          speedLimit,
          aboveLimit: speedLimit === null ? null : vehiclesAbove(speeds, speedLimit),
          aboveLimitBy10: speedLimit === null ? null : vehiclesAbove(speeds, speedLimit + FAR_ABOVE_LIMIT),
        }
      })
    }),
  )

  route(api, endpoints.headway, (call) =>
    read(call, async (db, { locations, plan, scope }) => {
      const cells = byLocation(await headwayCells(db, plan, scope))
      return locations.map((location) => {
        const ofStation = cells(location.id)
        const bins = ofStation.flatMap(({ bin, ...cell }) => (bin === null ? [] : [{ ...cell, bin }]))
        const counts = histogramOf(bins)
        const total = sumOf(bins, 'n')
        return {
          location,
          edges: Array.from({ length: HEADWAY_BINS }, (_, bin) => headwayEdge(bin) / SECOND_MS),
          counts,
          heavyCounts: histogramOf(bins.filter(({ heavy }) => heavy)),
          mean: meanHeadway(ofStation),
          shareBelow1: shareOf(headwaysBelow(counts, SECOND_MS), total),
          shareBelow2: shareOf(headwaysBelow(counts, 2 * SECOND_MS), total),
        }
      })
    }),
  )

  route(api, endpoints.loads, (call) =>
    read(call, async (db, { locations, plan, scope }) => {
      const loads = byLocation(await loadCells(db, plan, scope))
      const gross = byLocation(await grossCells(db, plan, scope))
      const axles = byLocation(await axleCells(db, plan, scope))
      return locations.map((location) => {
        const sums = loads(location.id)
        const weighed = sumOf(sums, 'weighed')
        const spectrum = (kind: number, unit: number) =>
          histogramOf(axles(location.id).filter((cell) => cell.kind === kind + 1 && cell.unit === unit))
        return {
          location,
          vehicles: sumOf(sums, 'vehicles'),
          weighed,
          overloaded: sumOf(
            sums.filter(({ overloaded }) => overloaded),
            'vehicles',
          ),
          meanLoad: weighed === 0 ? null : rounded(sumOf(sums, 'loadSum') / weighed, 0),
          axles: sumOf(sums, 'axles'),
          gross: { width: GROSS_BIN_KG / KG_IN_TONNE, counts: histogramOf(gross(location.id)) },
          spectra: spectrumKinds.map((kind, index) => {
            const tonnes = spectrum(index, 1)
            return {
              kind,
              groups: tonnes.reduce((sum, count) => sum + count, 0),
              tonnes: { width: binWidth(kind, 't') / KG_IN_TONNE, counts: tonnes },
              kilonewtons: { width: binWidth(kind, 'kN'), counts: spectrum(index, 2) },
            }
          }),
        }
      })
    }),
  )

  route(api, endpoints.equivalentAxles, (call) =>
    read(call, async (db, { locations, plan, scope }) => {
      const loads = byLocation(await loadCells(db, plan, scope))
      return locations.map((location) => {
        const sums = loads(location.id)
        const months = [...Map.groupBy(sums, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? -1 : 1))
        return {
          location,
          ...equivalentsOf(sums),
          months: months.map(([month, rows]) => ({
            month,
            weighed: sumOf(rows, 'weighed'),
            ...equivalentsOf(rows),
          })),
        }
      })
    }),
  )

  route(api, endpoints.profile, (call) =>
    read(call, async (db, { locations, range: [from, to], scope }) => {
      const [start, end] = [from, to].map((date) => new Date(fromWarsaw(Date.parse(date)))) as [Date, Date]
      const ids = locations.map(({ id }) => id)
      const cells = byLocation(await weekdayHours(db, ids, [start, end], scope))
      return locations.map((location) => ({
        location,
        weekdays: Array.from({ length: DAYS_IN_WEEK }, (_, weekday) =>
          Array.from(
            { length: HOURS_IN_DAY },
            (_, hour) =>
              cells(location.id).find((cell) => cell.weekday === weekday && cell.hour === hour)?.vehicles ?? 0,
          ),
        ),
      }))
    }),
  )
}

const SECOND_MS = 1000
const KG_IN_TONNE = 1000
const DAYS_IN_WEEK = 7
const HOURS_IN_DAY = 24
/** km/h */
const FAR_ABOVE_LIMIT = 10

type Reading = Parameters<typeof withSemaphore>[0] & { db: Pool; query: Parameters<typeof planRequest>[1] }

/** Reads all parts of a result from one snapshot. */
const read = <T>(call: Reading, work: (db: Database, request: DistributionRequest) => Promise<T>): Promise<T> =>
  withSemaphore(call, (signal) =>
    call.db.transaction(async (db) => work(db, await planRequest(db, call.query)), { mode: SNAPSHOT, signal }),
  )
