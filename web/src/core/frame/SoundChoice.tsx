import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { arrivalTones, setSound, useSound } from '../sound.ts'
import { useRight } from '../useSelf.ts'
import css from './SoundChoice.module.css'
import { useAlarmSounds } from './useAlarmSounds.ts'

/** The settings of the sound menu, for phones. */
export function SoundChoice() {
  const { t } = useTranslation()
  const { arrivals } = useSound()
  const seesVehicles = useRight('CurrentMeasurements')
  return (
    <>
      {seesVehicles && (
        <SegmentedControl
          label={t('arrival-tone')}
          value={arrivals}
          onChange={(tone) => setSound({ arrivals: tone })}
          options={arrivalTones.map((tone) => ({ value: tone, label: t(`arrival-tone-${tone}`) }))}
          wide
        />
      )}
      <fieldset className={css.alarms}>
        <legend>{t('sound-alarms')}</legend>
        {useAlarmSounds().map(({ name, label, isOn }) => (
          <Switch
            key={name}
            label={label}
            checked={isOn}
            onChange={(event) => setSound({ [name]: event.currentTarget.checked })}
          />
        ))}
        <p>{t('mute-hint')}</p>
      </fieldset>
    </>
  )
}
