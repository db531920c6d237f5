import type { Language } from '@rogatka/contract/languages.ts'
import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { bounds, tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { isoText } from '../core/warsaw.ts'
import { type Column, categoryName, reportTexts } from '../reports/public-api.ts'
import type { ListVehicle } from './list-vehicle.ts'
import type { ReportRow } from './report-rows.ts'
import { archiveTexts } from './texts.ts'

/** Axles with their own columns; any further ones share one column. */
export const AXLE_COLUMNS = 9
/** Time and plate. */
export const FROZEN_COLUMNS = 2

type Value = ReturnType<Column<ReportRow>['value']>
type Sheet = {
  columns: Column<ReportRow>[]
  /** The first columns, which fit a page. */
  printed: number
}

/**
 * The columns of a spreadsheet, in the units of the API, so that numbers stay numbers: first the printed ones, then
 * those for further processing.
 */
export function sheetColumns(
  language: Language,
  { withTags, withImages }: { withTags: boolean; withImages: boolean },
): Sheet {
  const { columns, ranges } = archiveTexts(language)
  const sharedTexts = reportTexts(language)
  const yesNo = (yes: boolean) => (yes ? sharedTexts.yes : sharedTexts.no)
  const column = (
    title: string,
    width: number,
    value: (vehicle: ListVehicle) => Value,
    isRed?: (vehicle: ListVehicle) => boolean,
  ): Column<ReportRow> => ({
    title,
    width,
    value: ({ vehicle }) => value(vehicle),
    ...(isRed && { isRed: ({ vehicle }: ReportRow) => isRed(vehicle) }),
  })
  const percent = (title: string, value: (vehicle: ListVehicle) => number | null) => ({
    ...column(title, 12, value, (v) => (value(v) ?? 0) > 0),
    decimals: 1,
  })

  const printed = [
    column(columns.createdAt, 19, (v) => v.createdAt),
    column(columns.plate, 13, (v) => v.plateLpr),
    column(columns.nationality, 8, (v) => v.nationality),
    column(columns.station, 22, (v) => v.location.shortName),
    column(columns.lane, 6, (v) => v.lane.laneNumber),
    column(columns.category, 21, (v) => categoryName(v.ctg8p1, language)),
    column(
      ranges.Speed,
      11,
      (v) => v.speed,
      (v) => v.overspeed,
    ),
    column(columns.speedLimit, 11, (v) => v.speedLimit),
    column(ranges.TotalLoad, 11, (v) => v.totalLoad, isAtOrOverLimit),
    column(columns.limitTotalLoad, 13, (v) => v.limitTotalLoad),
    column(columns.accuracy, 12, (v) => v.lane.accuracyClass?.name ?? null),
    column(columns.minTotalLoad, 10, minTotalLoad),
    percent(ranges.OverloadTL, (v) => v.overloadTL),
    percent(ranges.OverloadSA, (v) => v.overloadSA),
    percent(ranges.OverloadMA, (v) => v.overloadMA),
    column(ranges.VehLength, 10, (v) => v.vehLength),
    column(
      ranges.VehHeight,
      11,
      (v) => v.vehHeight,
      (v) => v.overheight,
    ),
    column(ranges.NumberOfAxles, 8, (v) => v.numberOfAxles),
    ...violations.map((violation) =>
      column(
        sharedTexts.violations[violation],
        12,
        (v) => yesNo(v[violation]),
        (v) => v[violation],
      ),
    ),
    ...(withTags ? [column(columns.tag, 11, (v) => yesNo((v.tags?.length ?? 0) > 0))] : []),
  ]
  const others = [
    // UTC, because the hour after the end of summer time is ambiguous in Warsaw time.
    column(columns.utc, 25, (v) => isoText(v.createdAt.getTime())),
    column(columns.road, 9, (v) => v.location.roadNumber),
    column(columns.chainage, 11, (v) => v.location.chainage),
    column(columns.direction, 16, (v) => v.location.direction),
    column(columns.ctg8p1, 11, (v) => v.ctg8p1),
    column(columns.ctg323, 12, (v) => v.ctg323),
    column(columns.limitLength, 13, (v) => v.limitLength),
    column(columns.limitHeight, 13, (v) => v.limitHeight),
    ...numberedTitles(language, 'axle', 1, AXLE_COLUMNS).map(([title, at]) =>
      column(title, 11, (v) => v.axles?.[at]?.totalLoad ?? null),
    ),
    column(archiveTexts.format(language, 'columns.moreAxles', { number: AXLE_COLUMNS + 1 }), 14, (v) =>
      joinValues(v.axles?.slice(AXLE_COLUMNS).map(({ totalLoad }) => totalLoad)),
    ),
    ...numberedTitles(language, 'gap', 1, AXLE_COLUMNS - 1).map(([title, at]) =>
      column(title, 11, (v) => v.axles?.[at + 1]?.gap ?? null),
    ),
    column(archiveTexts.format(language, 'columns.moreGaps', { number: AXLE_COLUMNS }), 14, (v) =>
      joinValues(v.axles?.slice(AXLE_COLUMNS).map(({ gap }) => gap)),
    ),
    column(columns.id, 16, (v) => v.id),
    ...(withImages
      ? [
          { title: columns.image, width: 30, value: ({ image }: ReportRow) => image?.name ?? null },
          { title: columns.sha256, width: 66, value: ({ image }: ReportRow) => image?.sha256 ?? null },
        ]
      : []),
  ]
  return { columns: [...printed, ...others], printed: printed.length }
}

/** Numbered column titles with indexes from 0. */
const numberedTitles = (language: Language, key: 'axle' | 'gap', first: number, last: number): [string, number][] =>
  Array.from({ length: last - first + 1 }, (_, at) => [
    archiveTexts.format(language, `columns.${key}`, { number: first + at }),
    at,
  ])

/** The lower bound of the gross weight, in kg. Null without a weight or an accuracy class. */
function minTotalLoad({ totalLoad, lane: { accuracyClass } }: ListVehicle): number | null {
  if (totalLoad === null || !accuracyClass) return null
  return bounds(totalLoad, tolerances[accuracyClass.name as AccuracyClass].gross).min
}

/** Several values as the text of one cell: "7420 + 13940". */
const joinValues = (values: readonly number[] | undefined) => (values && values.length > 0 ? values.join(' + ') : null)
