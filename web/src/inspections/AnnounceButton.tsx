import { Button, Menu } from '@mantine/core'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../core/shortcuts.ts'
import { useRight } from '../core/useSelf.ts'
import { DownIcon, ScaleIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import css from './AnnounceButton.module.css'
import { canToggle, openInspection, openingOf } from './announceable.ts'
import { useAnnounce } from './useAnnounce.tsx'

/** Announces an inspection of the vehicle (I), with the sign or without; takes one that has passed over; or takes it back. */
export function AnnounceButton({ vehicle, isLive }: { vehicle: WireVehicle; isLive: boolean }) {
  const { t } = useTranslation('inspections')
  const { isAllowed, announce, toggle, tasks } = useAnnounce()
  const canUseSign = useRight('Vms') && isLive
  const open = openInspection(vehicle)
  const isLate = openingOf(vehicle) === 'takenOver'
  const label = t(open ? 'withdraw' : isLate ? 'take-over' : 'vehicle:announce')
  const canAct = isAllowed && (isLate || canToggle(vehicle))
  useShortcuts(canAct ? [{ key: 'i', label, run: () => toggle(vehicle) }] : [])
  return (
    <>
      {canAct && (
        <Button.Group>
          <Button
            variant="default"
            leftSection={<ScaleIcon />}
            rightSection={<Kbd>I</Kbd>}
            onClick={() => toggle(vehicle)}
          >
            {open || isLate ? (
              label
            ) : (
              <>
                <span className={css.wide}>{label}</span>
                <span className={css.narrow} aria-hidden="true">
                  {t('announce-short')}
                </span>
              </>
            )}
          </Button>
          {!open && !isLate && canUseSign && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" px={8} aria-label={t('announce-more')}>
                  <DownIcon />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => announce(vehicle, true)}>{t('announce-with-sign')}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Button.Group>
      )}
      {tasks}
    </>
  )
}
