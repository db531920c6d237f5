import type { Language } from '@rogatka/contract/languages.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import type { Column } from '../core/reports/table.ts'
import { categoryName, kitWords } from '../core/reports/words.ts'
import { isoText } from '../core/warsaw.ts'
import type { Listed } from './listed.ts'
import type { Passage } from './report-rows.ts'
import { archiveWords } from './words.ts'

/** The columns of a spreadsheet: all that was measured, in the units of the wire, so that numbers stay numbers. */
export function sheetColumns(
  language: Language,
  { withTags, withPictures }: { withTags: boolean; withPictures: boolean },
): Column<Passage>[] {
  const { columns, ranges } = archiveWords(language)
  const kit = kitWords(language)
  const yesNo = (yes: boolean) => (yes ? kit.yes : kit.no)
  const of = (title: string, width: number, value: (vehicle: Listed) => ReturnType<Column<Passage>['value']>) => ({
    title,
    width,
    value: ({ vehicle }: Passage) => value(vehicle),
  })
  const percent = (title: string, value: (vehicle: Listed) => number | null) => ({
    ...of(title, 15, value),
    decimals: 1,
  })

  return [
    of(columns.createdAt, 19, (v) => v.createdAt),
    // An hour of autumn comes twice in Warsaw: this one tells which of the two it was.
    of(columns.utc, 25, (v) => isoText(v.createdAt.getTime())),
    of(columns.station, 22, (v) => v.location.shortName),
    of(columns.road, 9, (v) => v.location.roadNumber),
    of(columns.chainage, 11, (v) => v.location.chainage),
    of(columns.direction, 16, (v) => v.location.direction),
    of(columns.lane, 8, (v) => v.lane.laneNumber),
    of(columns.plate, 13, (v) => v.plateLpr),
    of(columns.nationality, 8, (v) => v.nationality),
    of(columns.ctg8p1, 11, (v) => v.ctg8p1),
    of(columns.category, 21, (v) => categoryName(v.ctg8p1, language)),
    of(columns.ctg323, 12, (v) => v.ctg323),
    of(ranges.Speed, 11, (v) => v.speed),
    of(columns.speedLimit, 11, (v) => v.speedLimit),
    of(ranges.TotalLoad, 12, (v) => v.totalLoad),
    of(columns.limitTotalLoad, 13, (v) => v.limitTotalLoad),
    percent(ranges.OverloadTL, (v) => v.overloadTL),
    percent(ranges.OverloadSA, (v) => v.overloadSA),
    percent(ranges.OverloadMA, (v) => v.overloadMA),
    of(ranges.VehLength, 11, (v) => v.vehLength),
    of(columns.limitLength, 13, (v) => v.limitLength),
    of(ranges.VehHeight, 11, (v) => v.vehHeight),
    of(columns.limitHeight, 13, (v) => v.limitHeight),
    of(ranges.NumberOfAxles, 8, (v) => v.numberOfAxles),
    of(columns.axleLoads, 30, (v) => joined(v.axles?.map(({ totalLoad }) => totalLoad))),
    of(columns.axleGaps, 20, (v) => joined(v.axles?.slice(1).map(({ gap }) => gap))),
    ...violations.map((violation) => of(kit.violations[violation], 15, (v) => yesNo(v[violation]))),
    ...(withTags ? [of(columns.tag, 11, (v) => yesNo((v.tags?.length ?? 0) > 0))] : []),
    of(columns.id, 16, (v) => v.id),
    ...(withPictures
      ? [
          { title: columns.picture, width: 30, value: ({ picture }: Passage) => picture?.name ?? null },
          { title: columns.sha256, width: 66, value: ({ picture }: Passage) => picture?.sha256 ?? null },
        ]
      : []),
  ]
}

/** Together in one cell, as a text: "7420 + 13940". */
const joined = (values: readonly number[] | undefined) => (values && values.length > 0 ? values.join(' + ') : null)
