import { useRecentRows } from './recent.ts'
import { type Group, limitRows, matchingRows, type Row } from './rows.ts'
import { useActionRows } from './useActionRows.ts'
import { usePageRows } from './usePageRows.ts'
import { usePlateActions, usePlateRows } from './usePlateRows.tsx'
import { useStationRows } from './useStationRows.tsx'
import { useUserRows } from './useUserRows.ts'

/** Pages that are offered before anything was used. */
const FIRST_PAGES = 5

/**
 * What the palette lists for a text: the rows last used for none, otherwise the matching rows of each group; if nothing
 * matches, only the search of the archive.
 */
export function useGroups(text: string) {
  const search = text.trim()
  const [stations, users, pages, actions] = [useStationRows(), useUserRows(), usePageRows(), useActionRows()]
  const plates = usePlateRows(search)
  const plateActions = usePlateActions(search)
  const recent = useRecentRows([...stations, ...users, ...pages, ...actions])
  if (search === '') {
    const initial: Group = recent.length > 0 ? { name: 'recent', rows: recent } : { name: 'pages', rows: pages }
    return { groups: [{ ...initial, rows: initial.rows.slice(0, FIRST_PAGES) }], plates, isEmpty: false }
  }
  // After the answer, so that they are not selected before the plates are there.
  const isPlate = !plates.isWaiting && (plates.rows.length > 0 || /\d/.test(plates.beginning ?? ''))
  const ofPlate: Row[] = isPlate ? [...plateActions.search(), ...plateActions.addToBlackList()] : []
  const groups = limitRows([
    { name: 'plates', rows: plates.rows },
    { name: 'stations', rows: matchingRows(stations, search) },
    { name: 'users', rows: matchingRows(users, search) },
    { name: 'pages', rows: matchingRows(pages, search) },
    { name: 'actions', rows: [...matchingRows(actions, search), ...ofPlate] },
  ])
  const isEmpty = groups.every(({ rows }) => rows.every((row) => ofPlate.includes(row)))
  if (!isEmpty || plates.isWaiting) return { groups, plates, isEmpty: false }
  const onlySearch: Group = { name: 'actions', rows: plateActions.search() }
  return { groups: onlySearch.rows.length > 0 ? [onlySearch] : [], plates, isEmpty: true }
}
