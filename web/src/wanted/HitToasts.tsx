import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePinnedWanted } from '../core/arrivals.ts'
import { useFormat } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { CloseIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { HitCountdown } from './HitCountdown.tsx'
import css from './HitToasts.module.css'
import { isUrgent, openHitSheet, useHitSheet, useOpenHits } from './openHits.ts'
import { useHitActions } from './useHitActions.ts'

/** More vehicles share one toast. */
const MAX_TOASTS = 2
/**
 * Toasts of hits that nobody has taken, on every page: shown until the checkpoint is passed, somebody takes the hit, or the
 * user opens or dismisses it. They never take the focus. The live list shows those at its top itself.
 */
export function HitToasts() {
  const { t } = useTranslation('wanted')
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const pinned = usePinnedWanted()
  const sheet = useHitSheet()
  const hidden = [...dismissed, ...pinned, ...(sheet ? [vehicleKey(sheet)] : [])]
  const hits = useOpenHits().filter((hit) => isUrgent(hit) && !hidden.includes(vehicleKey(hit)))
  const [soonest] = hits
  return (
    <section
      className={sheet ? `${css.corner} ${css.besideSheet}` : css.corner}
      aria-label={t('hits-now')}
      data-hit-desk
    >
      {hits.length <= MAX_TOASTS ? (
        hits.map((hit) => (
          <Toast
            key={vehicleKey(hit)}
            hit={hit}
            isSoonest={hit === soonest}
            hasTakeKey={hit === soonest && sheet === null}
            onDismiss={() => setDismissed((before) => [...before, vehicleKey(hit)])}
          />
        ))
      ) : (
        <article className={css.toast}>
          <div className={css.head}>
            <b>{t('mark-several', { count: hits.length })}</b>
            <button
              type="button"
              className={css.dismiss}
              onClick={() => setDismissed((before) => [...before, ...hits.map(vehicleKey)])}
              aria-label={t('dismiss-all-wanted')}
              title={t('dismiss-all-wanted')}
            >
              <CloseIcon />
            </button>
          </div>
          <ul className={css.several}>
            {hits.map((hit) => (
              <li key={vehicleKey(hit)}>
                <button type="button" onClick={() => openHitSheet(hit)}>
                  <Plate plate={hit.plateLpr} nationality={hit.nationality} size="s" unreadable="" />
                  <span>{hit.location.shortName}</span>
                  <HitCountdown hit={hit} className={css.countdown} />
                  {hit === soonest && <Kbd>H</Kbd>}
                </button>
              </li>
            ))}
          </ul>
        </article>
      )}
    </section>
  )
}

type ToastProps = {
  hit: WireOpenHit
  /** H opens this one. */
  isSoonest: boolean
  /** A takes this one; with an open sheet it takes that of the sheet. */
  hasTakeKey: boolean
  onDismiss: () => void
}

function Toast({ hit, isSoonest, hasTakeKey, onDismiss }: ToastProps) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const textOf = useErrorText()
  const { take, isPending, failure } = useHitActions(hit)
  useShortcuts(hasTakeKey ? [{ key: 'a', label: t('take'), run: take }] : [])
  const { plateLpr, nationality, location, laneNumber, speed, entries } = hit
  const details = [
    location.shortName,
    t('ui:lane-number', { lane: laneNumber }),
    speed !== null && `${number(speed)} km/h`,
  ]
  const name = displayPlate(plateLpr, nationality)
  return (
    <article className={css.toast} aria-label={`${t('vehicle:wanted')} ${name}`}>
      <div className={css.head}>
        <Plate plate={plateLpr} nationality={nationality} unreadable="" />
        <HitCountdown hit={hit} className={css.countdown} />
      </div>
      <p className={css.text}>
        <b>{t('vehicle:wanted')}.</b> {details.filter(Boolean).join(', ')}.{' '}
        {[...new Set(entries.map(({ description }) => description))].join(' · ')}
      </p>
      {failure && (
        <p className={css.failure} role="alert">
          <b>{failure.title}</b> {textOf(failure.error)}
        </p>
      )}
      <div className={css.actions}>
        <button type="button" className={css.open} onClick={() => openHitSheet(hit)}>
          {t('open')}
          {isSoonest && <Kbd>H</Kbd>}
        </button>
        <button type="button" className={css.take} onClick={() => take()} aria-busy={isPending}>
          {t('take')}
          {hasTakeKey && <Kbd>A</Kbd>}
        </button>
        <span className={css.nobody}>{t('nobody-took')}</span>
        <button
          type="button"
          className={css.dismiss}
          onClick={onDismiss}
          aria-label={t('dismiss-wanted', { plate: name })}
          title={t('dismiss-wanted', { plate: name })}
        >
          <CloseIcon />
        </button>
      </div>
    </article>
  )
}
