import type { WireHitDetail } from '@rogatka/contract/wanted.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { plateSimilarity } from '@rogatka/domain/vehicle/plateMatch.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatTime, MISSING, useFormat } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useRight } from '../core/useSelf.ts'
import button from '../ui/bareButton.module.css'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { EarlierDetections } from './EarlierDetections.tsx'
import { HitActions } from './HitActions.tsx'
import { HitCountdown } from './HitCountdown.tsx'
import { HitCourse } from './HitCourse.tsx'
import { HitImages } from './HitImages.tsx'
import css from './HitSheet.module.css'
import { closeHitSheet, isApproaching, useOpenHits } from './openHits.ts'
import { hitQuery, useRecordOpened } from './useHitActions.ts'

type Props = { hitRef: Pick<WireOpenHit, 'id' | 'createdAt'> }

/** Sheet of a hit, at the right of any page, which stays usable: vehicle, instruction, actions, course. */
export function HitSheet({ hitRef }: Props) {
  const { t } = useTranslation('wanted')
  const { data: detail, error, refetch } = useQuery(hitQuery(hitRef))
  const open = useOpenHits().find((hit) => vehicleKey(hit) === vehicleKey(hitRef))
  const isSettled = detail && (detail.closed !== null || detail.taken?.at === open?.taken?.at)
  // Somebody else took or closed it: the course shows it at once.
  const stateKey = open ? (open.taken?.at ?? '') : null
  const lastState = useRef(stateKey)
  useEffect(() => {
    if (lastState.current === stateKey) return
    lastState.current = stateKey
    if (!isSettled) void refetch()
  }, [stateKey, isSettled, refetch])
  useRecordOpened(hitRef)
  useShortcuts([{ key: 'Escape', label: t('collapse'), run: closeHitSheet }])
  const sheet = useSheetFocus()
  // The head is known from the hit; after a closing only the detail is.
  const hit = detail?.closed ? detail : (open ?? detail)
  const name = hit ? displayPlate(hit.plateLpr, hit.nationality) : ''
  return (
    <aside
      ref={sheet}
      tabIndex={-1}
      data-hit-desk
      className={hit && (hit.taken || detail?.closed || !isApproaching(hit)) ? `${css.sheet} ${css.soft}` : css.sheet}
      aria-label={t('hit-of', { plate: name })}
    >
      <header className={css.head}>
        <div className={css.title}>
          <p className={css.word}>
            {t('vehicle:wanted')} <span>{t('on-black-list')}</span>
          </p>
          {hit && (
            <div className={css.plate}>
              <Plate plate={hit.plateLpr} nationality={hit.nationality} size="l" unreadable="" />
            </div>
          )}
        </div>
        {hit && (
          <div className={css.clock}>
            <HitCountdown hit={hit} />
            <span>
              {t(
                detail?.isLate && !hit.taken && !detail.closed
                  ? 'was-late'
                  : hit.checkpointTime === null
                    ? 'no-checkpoint'
                    : isApproaching(hit)
                      ? 'to-checkpoint'
                      : hit.taken || detail?.closed
                        ? 'passed-checkpoint'
                        : 'passed-untaken',
              )}
            </span>
          </div>
        )}
        <button
          type="button"
          className={`${button.bare} ${css.close}`}
          onClick={closeHitSheet}
          aria-label={t('collapse')}
          title={`${t('collapse')} (Esc)`}
        >
          <CloseIcon />
        </button>
      </header>
      {hit ? (
        <Body hit={hit} detail={detail} error={error} retry={() => void refetch()} />
      ) : (
        <div className={css.body}>
          {error ? (
            <ErrorBanner error={error} title={`${t('hit-load-failed')}.`} retry={() => void refetch()} />
          ) : (
            <Loading label={t('loading')} />
          )}
        </div>
      )}
    </aside>
  )
}

/** Number of messages that mail server or gateway accepted. */
const deliveredIn = (detail: WireHitDetail | undefined) =>
  detail?.course.find(({ step }) => step === 'delivered')?.count ?? 0

type BodyProps = { hit: WireOpenHit; detail: WireHitDetail | undefined; error: unknown; retry: () => void }

function Body({ hit, detail, error, retry }: BodyProps) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const isAnonymous = useRight('Anonymization')
  const canSeeArchive = useRight('ArchiveMeasurements')
  const likeness = (plate: string) => {
    if (isAnonymous) return plate
    const text = displayPlate(plate, hit.nationality)
    const percent = Math.round(100 * plateSimilarity(plate, hit.plateLpr))
    return `${text} · ${plate === hit.plateLpr ? t('same-plate') : t('similar-plate', { percent })}`
  }
  const category = hit.ctg8p1 ? `${hit.ctg8p1} ${t(`vehicle:category-${hit.ctg8p1}` as never)}` : null
  const axles = hit.numberOfAxles === null ? null : t('hit-axles', { count: hit.numberOfAxles })
  return (
    <div className={css.body}>
      <HitImages hit={hit}>
        <Facts
          facts={[
            [t('read'), displayPlate(hit.plateLpr, hit.nationality)],
            [t('listed'), [...new Set(hit.entries.map((entry) => likeness(entry.plateLpr)))].join(', ')],
            [t('hit-vehicle'), [category, axles].filter(Boolean).join(' · ') || MISSING],
          ]}
        />
      </HitImages>
      {hit.entries.map((entry) => (
        <p key={entry.id} className={css.instruction}>
          {entry.description}
          <small>
            {t('entry-by', { user: entry.user.username, date: formatDate(entry.createdAt) })} ·{' '}
            {entry.expiresAt ? t('valid-until', { date: formatDate(entry.expiresAt) }) : t('valid-always')}
          </small>
        </p>
      ))}
      <Facts
        row
        facts={[
          [t('hit-station'), hit.location.shortName],
          [t('direction-lane'), `${hit.location.direction}, ${hit.laneNumber}`],
          [t('hit-speed'), hit.speed === null ? MISSING : `${number(hit.speed)} km/h`],
          [t('hit-read-at'), formatTime(hit.createdAt)],
        ]}
      />
      {error !== null && error !== undefined && (
        <ErrorBanner error={error} title={`${t('hit-load-failed')}.`} retry={retry} />
      )}
      <HitActions
        hit={hit}
        closed={detail?.closed ?? null}
        isLate={detail?.isLate ?? false}
        notified={detail?.notified}
        delivered={deliveredIn(detail)}
      />
      {canSeeArchive && !isAnonymous && <EarlierDetections hit={hit} />}
      {detail && <HitCourse detail={detail} />}
    </div>
  )
}

function Facts({ facts, row = false }: { facts: readonly (readonly [name: string, value: string])[]; row?: boolean }) {
  return (
    <dl className={row ? `${css.facts} ${css.row}` : css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The user opened the sheet, so it gets the focus; afterwards the element gets it back that had it. */
function useSheetFocus() {
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const element = sheet.current
    element?.focus({ preventScroll: true })
    return () => {
      const hasFocus = document.activeElement === document.body || element?.contains(document.activeElement)
      if (hasFocus && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return sheet
}
