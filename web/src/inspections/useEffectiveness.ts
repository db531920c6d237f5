import type { WireOf } from '@rogatka/contract/endpoint.ts'
import {
  accuracy,
  type FigureGrouping,
  figures,
  MAX_PAIRS,
  pairs,
  unweighed,
} from '@rogatka/contract/inspections-figures.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { lastDays } from '../ui/dateRange.ts'
import {
  changeSearch,
  DEFAULT_DAYS,
  type EffectivenessQuery,
  type EffectivenessSearch,
  readEffectivenessSearch,
  toQuery,
} from './effectivenessSearch.ts'

const FEATURE = 'inspections'

export type FiguresResult = WireOf<typeof figures, 'response'>
export type FigureGroup = FiguresResult['groups'][number]
export type Rate = FigureGroup['hitRate']
export type UnweighedResult = WireOf<typeof unweighed, 'response'>
export type PairsResult = WireOf<typeof pairs, 'response'>
export type AccuracyResult = WireOf<typeof accuracy, 'response'>
export type AccuracyLane = AccuracyResult['lanes'][number]

/** Filters in the URL, the query, and a function that changes the filters. */
export function useEffectivenessSearch() {
  const search = readEffectivenessSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  // Up to the moment when the page was opened.
  const [initialRange] = useState(() => lastDays(DEFAULT_DAYS, serverNow()))
  return {
    search,
    query: toQuery(search, initialRange),
    // Starts from the current URL, which may be newer than the rendered one.
    change: (changes: Partial<EffectivenessSearch>) =>
      void navigate({
        to: '/statistics/effectiveness',
        search: (current: Record<string, unknown>) => changeSearch(readEffectivenessSearch(current), changes),
        replace: true,
      }),
  }
}

const figuresQuery = ({ selections: _, ...query }: EffectivenessQuery, groupBy: FigureGrouping) =>
  queryOptions({
    queryKey: [FEATURE, 'figures', query, groupBy],
    queryFn: ({ signal }) => call(figures, { query: { ...query, groupBy }, signal }),
  })

/** Rates in total and by group. */
export const useFigures = (query: EffectivenessQuery, groupBy: FigureGrouping) => useQuery(figuresQuery(query, groupBy))

/** Announced inspections without a weighing, by reason. */
export function useUnweighed({ selections: _, ...query }: EffectivenessQuery) {
  return useQuery({
    queryKey: [FEATURE, 'unweighed', query],
    queryFn: ({ signal }) => call(unweighed, { query, signal }),
  })
}

/** Pairs of one lane, the newest ones of many; undefined: of all lanes. `isReady`: the lane is known. */
export function usePairs(query: EffectivenessQuery, lane: number | undefined, isReady: boolean) {
  const ofLane = lane === undefined ? query : { ...query, lanes: [lane] }
  return useQuery({
    queryKey: [FEATURE, 'pairs', ofLane],
    queryFn: ({ signal }) => call(pairs, { query: { ...ofLane, limit: MAX_PAIRS }, signal }),
    enabled: isReady,
  })
}

/** Accuracy classes of the lanes, those with trouble first. */
export const useAccuracy = (query: EffectivenessQuery) =>
  useQuery({
    queryKey: [FEATURE, 'accuracy', query],
    queryFn: ({ signal }) => call(accuracy, { query, signal }),
  })

const hasLoads = ({ criteria, leftOut }: AccuracyLane) =>
  Object.values(criteria).some(({ n }) => n > 0) || Object.values(leftOut).some((count) => count > 0)

/** Whether nothing was announced or weighed; false while it is not known. */
export const isEmpty = (figures: FiguresResult | undefined, accuracy: AccuracyResult | undefined): boolean =>
  figures !== undefined &&
  accuracy !== undefined &&
  figures.total.stopRate.of + figures.total.hitRate.of + figures.total.missedRate.of === 0 &&
  !accuracy.lanes.some(hasLoads)
