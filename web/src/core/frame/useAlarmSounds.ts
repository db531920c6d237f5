import { hasAnyRight } from '@rogatka/contract/access.ts'
import { useTranslation } from 'react-i18next'
import { type AlarmSound, useSound } from '../sound.ts'
import { useRight } from '../useSelf.ts'

/** Whether the user sees something that sounds: vehicles, or alarms of equipment. */
export const hasSounds = (permissions: readonly string[]): boolean =>
  hasAnyRight(permissions, ['CurrentMeasurements', 'UsersAdmin', 'Tickets'])

/** The alarms that the user can switch off, each with its text; those of vehicles only for those who see them. */
export function useAlarmSounds(): { name: AlarmSound; label: string; isOn: boolean }[] {
  const { t } = useTranslation()
  const sound = useSound()
  const seesVehicles = useRight('CurrentMeasurements')
  const names: AlarmSound[] = seesVehicles
    ? ['alarm', 'wrongWay', 'highAlarms', 'mediumAlarms']
    : ['highAlarms', 'mediumAlarms']
  return names.map((name) => ({ name, label: t(`sound-${name}`), isOn: sound[name] }))
}
