import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ArrivalTone, arrivalTones, setSound, useSound } from '../sound.ts'
import { useRight } from '../useSelf.ts'
import { useAlarmSounds } from './useAlarmSounds.ts'

/** Arrival tone, and alarms that sound on this device. */
export function SoundItems() {
  const { t } = useTranslation()
  const { arrivals } = useSound()
  const seesVehicles = useRight('CurrentMeasurements')
  return (
    <Menu.Dropdown aria-label={t('sound-settings')}>
      {seesVehicles && (
        <>
          <Menu.Label>{t('arrival-tone')}</Menu.Label>
          <Menu.RadioGroup value={arrivals} onChange={(tone) => setSound({ arrivals: tone as ArrivalTone })}>
            {arrivalTones.map((tone) => (
              <Menu.RadioItem key={tone} value={tone}>
                {t(`arrival-tone-${tone}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
        </>
      )}
      <Menu.Label>{t('sound-alarms')}</Menu.Label>
      {useAlarmSounds().map(({ name, label, isOn }) => (
        <Menu.CheckboxItem key={name} checked={isOn} onChange={(on: boolean) => setSound({ [name]: on })}>
          {label}
        </Menu.CheckboxItem>
      ))}
      <Menu.Label>{t('mute-hint')}</Menu.Label>
    </Menu.Dropdown>
  )
}
