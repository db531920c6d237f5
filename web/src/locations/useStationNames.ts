import { useTranslation } from 'react-i18next'
import { useLocations } from './useLocations.ts'

/** Names of more stations are replaced by their number. */
const MAX_NAMES = 3

/** Formats stations by their ids: all of them, their number, or their names. `allNames`: their names, however many. */
export function useStationNames() {
  const { t } = useTranslation('ui')
  const { data: locations } = useLocations()
  const allNames = (ids: readonly number[]) =>
    ids.map((id) => locations?.find((location) => location.id === id)?.shortName ?? String(id)).join(', ')
  const names = (ids: readonly number[]) => {
    if (locations && ids.length === locations.length) return t('all-stations')
    return ids.length > MAX_NAMES ? t('number-of-stations', { count: ids.length }) : allNames(ids)
  }
  return { locations, names, allNames }
}
