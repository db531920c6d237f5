import type { FigureGrouping } from '@rogatka/contract/inspections-figures.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { withLanes } from '@rogatka/domain/inspections/effectiveness.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { type Figures, mayCompareOfficers, outcomesOf, type ScopeWithStations } from './figures.ts'
import { inspectionTexts } from './texts.ts'

type Group = Figures['groups'][number]

/** Kinds of groups, in the order of the report. */
export type GroupKind = 'station' | 'shift' | 'month' | 'officer'

/** Rates in total, and of each group by kind: stations followed by their lanes, officers only for those who may compare them. */
export async function groupedFigures(
  db: Database,
  { scope, stations, shiftStarts, session }: ScopeWithStations & { shiftStarts: readonly string[]; session: Session },
): Promise<{ total: Figures['total']; groups: Record<GroupKind, Group[]> }> {
  const by = (groupBy: FigureGrouping) => outcomesOf(db, { scope, stations }, { groupBy, shiftStarts })
  const { total, groups: byStation } = await by('location')
  const groups = {
    station: withLanes(byStation, (await by('lane')).groups),
    shift: (await by('shift')).groups,
    month: (await by('month')).groups,
    officer: mayCompareOfficers(session) ? (await by('officer')).groups.filter(({ officer }) => officer) : [],
  }
  return { total, groups }
}

/** The name of a group: its lane, shift, month, officer or station. */
export function groupName(
  { location, laneNumber, shift, shiftEnd, month, officer }: Group,
  language: Language,
): string {
  const format = (key: 'lane' | 'shift' | 'shiftRange', values: Record<string, string>) =>
    inspectionTexts.format(language, `figures.${key}`, values)
  if (laneNumber !== null) return format('lane', { station: location?.shortName ?? '', lane: String(laneNumber) })
  if (shift !== null)
    return shiftEnd === null ? format('shift', { start: shift }) : format('shiftRange', { start: shift, end: shiftEnd })
  if (month !== null) return `${month.slice(5)}.${month.slice(0, 4)}`
  return officer?.username ?? location?.shortName ?? ''
}
