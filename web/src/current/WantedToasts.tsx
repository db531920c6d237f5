import { VisuallyHidden } from '@mantine/core'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useTranslation } from 'react-i18next'
import { keepUnseenWanted, useUnseenWanted } from '../core/arrivals.ts'
import { useFormat } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useStore } from '../core/store.ts'
import { useSelf } from '../core/useSelf.ts'
import { CloseIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useCountdown, useOpenVehicle } from '../vehicle/publicApi.ts'
import { live, unseenHits } from './live.ts'
import { useHitSentence } from './useHitSentence.ts'
import css from './WantedToasts.module.css'

/** More vehicles share one toast. */
const MAX_TOASTS = 2

/**
 * Toasts of wanted vehicles that arrived while another page was open: shown until the checkpoint is passed or the user
 * opens or dismisses them. They never take the focus.
 */
export function WantedToasts() {
  const { t } = useTranslation('current')
  const hits = unseenHits(useStore(live), useUnseenWanted())
  const openVehicle = useOpenVehicle('live')
  const dismiss = (vehicle: WireVehicle) => keepUnseenWanted((key) => key !== vehicleKey(vehicle))
  const open = (vehicle: WireVehicle) => {
    dismiss(vehicle)
    openVehicle(vehicle)
  }
  const [soonest] = hits
  const openSoonest = () => soonest && open(soonest)
  useShortcuts(
    soonest
      ? [
          { key: 'h', label: t('key-open-wanted'), run: openSoonest },
          { key: 'Enter', label: t('key-open-wanted'), run: openSoonest },
        ]
      : [],
  )
  const actions = { onOpen: open, onDismiss: dismiss }
  return (
    <section className={css.corner} aria-label={t('wanted-list')}>
      <Alerts hits={hits} />
      {hits.length <= MAX_TOASTS ? (
        hits.map((vehicle) => (
          <Toast key={vehicleKey(vehicle)} vehicle={vehicle} isSoonest={vehicle === soonest} {...actions} />
        ))
      ) : (
        <article className={css.toast}>
          <div className={css.head}>
            <b>{t('wanted-count', { count: hits.length })}</b>
            <button
              type="button"
              className={css.dismiss}
              onClick={() => keepUnseenWanted(() => false)}
              aria-label={t('dismiss-all-wanted')}
              title={t('dismiss-all-wanted')}
            >
              <CloseIcon />
            </button>
          </div>
          <ul className={css.several}>
            {hits.map((vehicle) => (
              <li key={vehicleKey(vehicle)}>
                <button type="button" onClick={() => open(vehicle)}>
                  <Plate {...plateOf(vehicle)} size="s" unreadable={t('vehicle:unreadable-plate')} />
                  <span>{vehicle.location.shortName}</span>
                  <Countdown vehicle={vehicle} />
                  {vehicle === soonest && <Kbd>H</Kbd>}
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
  vehicle: WireVehicle
  /** The shortcuts open this one. */
  isSoonest: boolean
  onOpen: (vehicle: WireVehicle) => void
  onDismiss: (vehicle: WireVehicle) => void
}

function Toast({ vehicle, isSoonest, onOpen, onDismiss }: ToastProps) {
  const { t } = useTranslation('current')
  const { number } = useFormat()
  const { plateLpr, nationality, location, lane, speed, wanted } = vehicle
  const details = [
    location.shortName,
    t('ui:lane-number', { lane: lane.laneNumber }),
    speed !== null && `${number(speed)} km/h`,
  ]
  const name = plateLpr ? displayPlate(plateLpr, nationality) : t('vehicle:unreadable-plate')
  return (
    <article className={css.toast} aria-label={`${t('vehicle:wanted')} ${name}`}>
      <div className={css.head}>
        <Plate {...plateOf(vehicle)} unreadable={t('vehicle:unreadable-plate')} />
        <Countdown vehicle={vehicle} />
      </div>
      <p className={css.text}>
        <b>{t('vehicle:wanted')}.</b> {details.filter(Boolean).join(', ')}. {wanted?.description}
      </p>
      <div className={css.actions}>
        <button type="button" className={css.open} onClick={() => onOpen(vehicle)}>
          {t('open-wanted')}
          {isSoonest && <Kbd>H</Kbd>}
        </button>
        <button
          type="button"
          className={css.dismiss}
          onClick={() => onDismiss(vehicle)}
          aria-label={t('dismiss-wanted', { plate: name })}
          title={t('dismiss-wanted', { plate: name })}
        >
          <CloseIcon />
        </button>
      </div>
    </article>
  )
}

/** Announces each vehicle once; the running countdown is not read. */
function Alerts({ hits }: { hits: readonly WireVehicle[] }) {
  const sentenceOf = useHitSentence()
  return (
    <VisuallyHidden>
      {hits.map((vehicle) => (
        <div key={vehicleKey(vehicle)} role="alert">
          {sentenceOf(vehicle)}
        </div>
      ))}
    </VisuallyHidden>
  )
}

const plateOf = ({ plateLpr, nationality }: WireVehicle) => ({ plate: plateLpr, nationality })

function Countdown({ vehicle }: { vehicle: WireVehicle }) {
  const { data: self } = useSelf()
  return (
    <span className={css.countdown} role="timer" ref={useCountdown(vehicle, self?.checkpointAdditionalTime ?? 0)} />
  )
}
