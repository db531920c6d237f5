import { useDebouncedValue } from '@mantine/hooks'
import { BEGINNING_LENGTH, findPlates, HISTORY_DAYS } from '@rogatka/contract/archive.ts'
import { MAX_PLATE_LENGTH } from '@rogatka/contract/options.ts'
import { displayPlate, normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { formatDate, formatTime } from '../core/format.ts'
import { lacksPurpose } from '../core/purpose.ts'
import { stringifySearch } from '../core/search.ts'
import { useRight } from '../core/useSelf.ts'
import { useLocations } from '../locations/publicApi.ts'
import { lastDays } from '../ui/dateRange.ts'
import { ListIcon, PlusIcon } from '../ui/icons.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { findMatch } from './match.ts'
import type { Row } from './rows.ts'

/** The server is asked when the user has not typed for this time, ms. */
const DELAY_MS = 120

/** The text as a beginning of a plate; null if it cannot be one. */
function beginningOf(text: string): string | null {
  const beginning = normalisePlate(text) ?? ''
  const isPlate = beginning.length >= BEGINNING_LENGTH && beginning.length <= MAX_PLATE_LENGTH
  return isPlate && /^[\p{L}\p{N}]+$/u.test(beginning) ? beginning : null
}

const formatSeen = (createdAt: string) =>
  formatDate(createdAt) === formatDate(serverNow()) ? formatTime(createdAt) : formatDate(createdAt)

/** Plates with a beginning, asked of the server; none without the right, or for users of anonymised data. */
export function usePlateRows(text: string) {
  const { t } = useTranslation('palette')
  const hasArchive = useRight('ArchiveMeasurements')
  const isAnonymised = useRight('Anonymization')
  const beginning = hasArchive && !isAnonymised ? beginningOf(text) : null
  const [asked] = useDebouncedValue(beginning, DELAY_MS)
  // Not aborted by the next key: the answer may still be of use for it.
  const { data, error, isFetching } = useQuery({
    queryKey: ['palette', asked],
    queryFn: () => call(findPlates, { body: { beginning: asked ?? '' }, background: true }),
    enabled: asked !== null && asked === beginning,
    placeholderData: (previous) => previous,
    retry: false,
    gcTime: 0,
  })
  const found = data?.content.filter(({ plateLpr }) => beginning !== null && plateLpr.startsWith(beginning)) ?? []
  const rows = found.map(({ plateLpr, detections, last: { id, createdAt, nationality, location } }): Row => {
    const plate = displayPlate(plateLpr, nationality)
    return {
      id: `plate:${plateLpr}`,
      label: plate,
      drawing: <Plate plate={plateLpr} nationality={nationality} size="s" unreadable="" />,
      detail: t('last-seen', { station: location.shortName, time: formatSeen(createdAt) }),
      note: t('detections', { count: detections }),
      open: `/vehicleArch/${id}/${location.id}/${createdAt}`,
      kept: 'session',
    }
  })
  const isWaiting = beginning !== null && (asked !== beginning || isFetching)
  return {
    rows,
    beginning,
    isWaiting: isWaiting && rows.length === 0,
    failure:
      beginning === null || error === null ? null : lacksPurpose(error) ? ('purpose' as const) : ('server' as const),
  }
}

/** What else can be done with a plate: search the archive, and put it on the black list. */
export function usePlateActions(text: string) {
  const { t } = useTranslation('palette')
  const hasArchive = useRight('ArchiveMeasurements')
  const isAnonymised = useRight('Anonymization')
  const hasAnyList = useRight('WantedList')
  const hasBlackList = useRight('BlackList')
  const { data: locations = [] } = useLocations()
  const plate = text.trim().toUpperCase()
  const rowOf = (id: string, label: string): Pick<Row, 'id' | 'label' | 'ranges' | 'kept'> => ({
    id,
    label,
    ranges: findMatch(plate, label)?.ranges ?? [],
    kept: 'never',
  })
  const search = (): Row[] => {
    const pattern = plate.replace(/\*?$/, '*')
    if (!hasArchive || isAnonymised || locations.length === 0 || pattern.length > MAX_PLATE_LENGTH) return []
    const { start, end } = lastDays(HISTORY_DAYS, serverNow())
    const filters = {
      plateLpr: pattern,
      dateTimeStart: start,
      dateTimeEnd: end,
      locations: locations.map(({ id }) => id),
    }
    return [
      {
        ...rowOf('action:archive', t('search-archive', { plate })),
        Icon: ListIcon,
        note: t('days', { count: HISTORY_DAYS }),
        open: `/archival${stringifySearch({ step: 4, ...filters })}`,
      },
    ]
  }
  const addToBlackList = (): Row[] =>
    hasAnyList && hasBlackList && !isAnonymised && beginningOf(text) !== null
      ? [
          {
            ...rowOf('action:black-list', t('add-to-black-list', { plate })),
            Icon: PlusIcon,
            open: `/black-list${stringifySearch({ plate })}`,
          },
        ]
      : []
  return { search, addToBlackList }
}
