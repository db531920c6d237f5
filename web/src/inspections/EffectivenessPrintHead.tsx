import { laneId, UNBIASED_SELECTIONS } from '@rogatka/contract/options.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatMinute } from '../core/format.ts'
import { useStations } from '../locations/publicApi.ts'
import { PrintHead } from '../ui/PrintHead.tsx'
import type { EffectivenessQuery, EffectivenessSearch } from './effectivenessSearch.ts'
import { useEffectivenessTexts } from './useEffectivenessTexts.ts'

type Props = { title: string; search: EffectivenessSearch; query: EffectivenessQuery }

/** Title and filters in words, on paper in place of the filter panel. */
export function EffectivenessPrintHead({ title, search, query }: Props) {
  const { t } = useTranslation('inspections')
  const { laneName } = useEffectivenessTexts()
  const { stations = [] } = useStations()
  const { locations, lanes, selections = UNBIASED_SELECTIONS } = search
  const chosen = stations.filter(({ location }) => locations?.includes(location.id)).map(({ location }) => location)
  const chosenLanes = chosen.flatMap((location) =>
    location.lanes
      .filter(({ laneNumber }) => lanes?.includes(laneId(location.id, laneNumber)))
      .map(({ laneNumber }) => laneName(location.shortName, laneNumber)),
  )
  const lines = [
    `${formatMinute(String(query.dateTimeStart))} – ${formatMinute(String(query.dateTimeEnd))}`,
    locations ? chosen.map(({ shortName }) => shortName).join(', ') : t('ui:all-stations'),
    lanes && chosenLanes.join('; '),
    `${t('effectiveness-selections')}: ${selections.map((one) => t(`effectiveness-selection-${one}`)).join(', ')}`,
    t('effectiveness-printed', { time: formatMinute(new Date(serverNow()).toISOString()) }),
  ]
  return <PrintHead title={title} lines={[lines.filter(Boolean).join(' · ')]} />
}
