import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DownIcon } from '../../ui/icons.tsx'
import { type ArrivalTone, arrivalTones, setSound, useSound } from '../sound.ts'

/** Sound settings of this device: arrival tone, and the alarm for wanted vehicles. */
export function SoundMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const { arrivals, alarm } = useSound()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={className} aria-label={t('sound-settings')} title={t('sound-settings')}>
          <DownIcon />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('sound-settings')}>
        <Menu.Label>{t('arrival-tone')}</Menu.Label>
        <Menu.RadioGroup value={arrivals} onChange={(tone) => setSound({ arrivals: tone as ArrivalTone })}>
          {arrivalTones.map((tone) => (
            <Menu.RadioItem key={tone} value={tone}>
              {t(`arrival-tone-${tone}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.CheckboxItem checked={alarm} onChange={(on: boolean) => setSound({ alarm: on })}>
          {t('wanted-alarm')}
        </Menu.CheckboxItem>
        <Menu.Label>{t('wanted-alarm-hint')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}
