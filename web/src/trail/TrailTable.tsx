import { VisuallyHidden } from '@mantine/core'
import { MANY_PLATES } from '@rogatka/contract/trail.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDateTime, MISSING, useFormat } from '../core/format.ts'
import { LazyDialog } from '../core/frame/LazyDialog.tsx'
import { type PagedResult, PagedTable } from '../core/frame/PagedTable.tsx'
import { useStationNames } from '../locations/publicApi.ts'
import type { Column } from '../ui/DataTable.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { actorKind, actorOf, locationOf } from './entryParts.ts'
import type { Who } from './query.ts'
import { SearchedPlate } from './SearchedPlate.tsx'
import css from './Trail.module.css'
import { TrailDetails } from './TrailDetails.tsx'
import { attentionReasonOf, PAGE_SIZE, type Summary, type WireTrailEntry } from './useTrail.ts'

type Props = {
  result: PagedResult<WireTrailEntry>
  /** Absent while loading. */
  summary?: Pick<Summary, 'manyPlates' | 'outsideShift'> | undefined
  page: number
  onPage: (page: number) => void
  /** Filters by who looked. */
  onWho: (who: Who) => void
}

const NOTHING = { manyPlates: [], outsideShift: [] }

/** Who looked, when, at what, why; one line for a visit. Amber lines need attention. */
export function TrailTable({ result, summary = NOTHING, page, onPage, onWho }: Props) {
  const { t } = useTranslation('trail')
  const { number } = useFormat()
  const [opened, setOpened] = useState<WireTrailEntry | null>(null)
  const columns: Column<WireTrailEntry>[] = [
    {
      key: 'at',
      title: t('at'),
      share: 16,
      cell: (entry) => (
        <span className={css.at}>
          <AttentionMark why={attentionReasonOf(entry, summary)} />
          <LinkButton
            aria-label={t('details-of', { name: actorOf(entry).name, time: timesOf(entry) })}
            onClick={() => setOpened(entry)}
          >
            {timesOf(entry)}
          </LinkButton>
        </span>
      ),
    },
    {
      key: 'who',
      title: t('who'),
      share: 12,
      head: true,
      cell: (entry) => {
        const kind = actorKind(entry)
        return (
          <span className={css.two}>
            {actorOf(entry).name}
            <small>{entry.role ?? (kind && t(kind))}</small>
          </span>
        )
      },
    },
    { key: 'kind', title: t('kind'), share: 14, cell: ({ kind }) => t(`kind-${kind}`) },
    { key: 'question', title: t('question'), share: 17, cell: (entry) => <QuerySubject entry={entry} /> },
    {
      key: 'purpose',
      title: t('purpose'),
      share: 16,
      cell: ({ purpose }) => (purpose ? t(`purpose-${purpose}`) : MISSING),
    },
    { key: 'case', title: t('case'), share: 17, cell: ({ reference, note }) => reference ?? note ?? MISSING },
    {
      key: 'shown',
      title: t('shown'),
      share: 8,
      right: true,
      cell: ({ shown }) => <b className={css.number}>{number(shown)}</b>,
    },
  ]
  return (
    <>
      <PagedTable
        feature="trail"
        label={t('core:nav-trail')}
        result={result}
        columns={columns}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        nothing={t('none')}
        toneOf={(entry) => (attentionReasonOf(entry, summary) ? 'attention' : undefined)}
      />
      <LazyDialog title={t('look')} open={opened !== null} onClose={() => setOpened(null)} from="right">
        {opened && (
          <TrailDetails
            entry={opened}
            onWho={(who) => {
              setOpened(null)
              onWho(who)
            }}
          />
        )}
      </LazyDialog>
    </>
  )
}

/** Why a look needs attention; null: nothing. */
function AttentionMark({ why }: { why: ReturnType<typeof attentionReasonOf> }) {
  const { t } = useTranslation('trail')
  if (why === null) return null
  const text = t(why, { number: MANY_PLATES })
  return (
    <i className={css.mark} title={text}>
      <VisuallyHidden>{text}</VisuallyHidden>
    </i>
  )
}

/** When it was; of a visit from when to when. */
const timesOf = ({ at, visit }: WireTrailEntry): string =>
  visit?.endedAt ? `${formatDateTime(at)}–${formatClock(visit.endedAt)}` : formatDateTime(at)

/** What was asked: plates, else a vehicle or stations. */
function QuerySubject({ entry: { plates, vehicle, criteria } }: { entry: WireTrailEntry }) {
  const { t } = useTranslation('trail')
  const { names, allNames } = useStationNames()
  if (plates === null) return <span className={css.quiet}>{t('unreadable')}</span>
  const [first, ...others] = plates
  if (first !== undefined)
    return (
      <span className={css.plates}>
        <SearchedPlate text={first} />
        {others.length > 0 && <small>{t('more-plates', { count: others.length })}</small>}
      </span>
    )
  if (vehicle)
    return (
      <span className={css.quiet}>
        {allNames([locationOf(vehicle)])}, {formatDateTime(vehicle.createdAt)}
      </span>
    )
  const stations = Array.isArray(criteria.locations) ? (criteria.locations as number[]) : []
  return <span className={css.quiet}>{stations.length > 0 ? names(stations) : t('no-plate')}</span>
}
