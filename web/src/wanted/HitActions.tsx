import { Button } from '@mantine/core'
import { type HitReason, hitReasons, type WireHitDetail } from '@rogatka/contract/wanted.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { RichText } from '../ui/RichText.tsx'
import { LazySignButton, useVehicle } from '../vehicle/publicApi.ts'
import css from './HitSheet.module.css'
import { isApproaching } from './openHits.ts'
import { useHitActions } from './useHitActions.ts'

/** How long a closing can be undone on the page. */
const UNDO_MS = 10_000

type Props = {
  hit: WireOpenHit
  closed: WireHitDetail['closed']
  /** Received too late for anybody to take it. */
  isLate: boolean
  /** Number of people who get a message; undefined while loading. */
  notified: number | undefined
  /** How many of these messages have arrived. */
  delivered: number
}

/** What the user can do about a hit: take it, show it on the sign, close it. */
export function HitActions({ hit, closed, isLate, notified = 0, delivered }: Props) {
  const { t } = useTranslation('wanted')
  const { data: self } = useSelf()
  const [asksWhy, setAsksWhy] = useState(false)
  const { take, close, reopen, isPending, failure, dismissError } = useHitActions(hit)
  const { taken } = hit
  const takeFrom = () => {
    setAsksWhy(false)
    if (taken) take(taken.by.id)
    else take()
  }
  const isUntaken = !closed && !taken
  const canTake = isUntaken && !isLate
  useShortcuts(canTake ? [{ key: 'a', label: t('take'), run: takeFrom }] : [])
  const closeFor = (reason: HitReason | null) => {
    setAsksWhy(false)
    close(reason)
  }
  return (
    <div className={css.actions}>
      {failure && (
        <div className={css.wide}>
          <ErrorBanner title={failure.title} error={failure.error} dismiss={dismissError} />
        </div>
      )}
      <div className={css.wide} role="status">
        {closed ? (
          <p className={css.state}>
            <span>
              <RichText text={t('closed-by', { user: closed.by.username, time: formatTime(closed.at) })} />
              {closed.reason && `: ${t(`reason-${closed.reason}`)}`}
            </span>
            {closed.by.id === self?.id && <Undo key={closed.at} onUndo={reopen} isPending={isPending} />}
          </p>
        ) : (
          taken && (
            <p className={css.state}>
              <span>
                <RichText
                  text={t('taken-by', {
                    user: taken.by.username,
                    time: formatTime(taken.at),
                    seconds: Math.max(0, Math.round((Date.parse(taken.at) - Date.parse(hit.createdAt)) / 1_000)),
                  })}
                />
              </span>
              {taken.by.id !== self?.id && !isLate && (
                <Button variant="default" onClick={takeFrom} loading={isPending}>
                  {t('take-over')}
                </Button>
              )}
            </p>
          )
        )}
      </div>
      {isUntaken && (
        <div className={css.take}>
          {canTake && (
            <Button
              fullWidth
              size="md"
              leftSection={<CheckIcon />}
              rightSection={<Kbd>A</Kbd>}
              onClick={takeFrom}
              loading={isPending}
            >
              {t('take')}
            </Button>
          )}
          <p className={css.note}>
            {t(isLate ? 'was-late' : isApproaching(hit) ? 'nobody-took' : 'passed-untaken')}
            {notified > 0 &&
              `, ${delivered < notified ? t('delivered-of', { delivered, count: notified }) : t('notified', { count: notified })}`}
          </p>
        </div>
      )}
      {!closed && <Sign hit={hit} />}
      {!closed && (
        <div className={css.closing}>
          <Button
            variant="subtle"
            color="gray"
            size="md"
            aria-expanded={asksWhy}
            onClick={() => setAsksWhy((asks) => !asks)}
          >
            {t('false-hit')}
          </Button>
          {(taken || !isApproaching(hit)) && (
            <Button variant="default" size="md" onClick={() => closeFor(null)} loading={isPending}>
              {t('close-hit')}
            </Button>
          )}
        </div>
      )}
      {asksWhy && !closed && (
        <fieldset className={css.reasons}>
          <legend>{t('why-not')}</legend>
          {hitReasons.map((reason) => (
            <Button key={reason} variant="default" onClick={() => closeFor(reason)}>
              {t(`reason-${reason}`)}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** The sign button of the vehicle page, before the checkpoint. */
function Sign({ hit: { id, createdAt, location, checkpointTime } }: { hit: WireOpenHit }) {
  return useRight('CurrentMeasurements') && isApproaching({ checkpointTime }) ? (
    <LiveSign id={id} createdAt={createdAt} locationId={location.id} />
  ) : null
}

function LiveSign(key: { id: number; createdAt: string; locationId: number }) {
  const { data: vehicle } = useVehicle({ source: 'live', ...key })
  return vehicle ? (
    <div className={css.sign}>
      <LazySignButton vehicle={vehicle} />
    </div>
  ) : null
}

/** Disappears after a while. */
function Undo({ onUndo, isPending }: { onUndo: () => void; isPending: boolean }) {
  const { t } = useTranslation('wanted')
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), UNDO_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOver ? null : (
    <Button variant="default" onClick={onUndo} loading={isPending}>
      {t('undo')}
    </Button>
  )
}
