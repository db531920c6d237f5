import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { arrivalTones, setSound, useSound } from '../sound.ts'

/** The settings of the sound menu, for phones. */
export function SoundChoice() {
  const { t } = useTranslation()
  const { arrivals, alarm } = useSound()
  return (
    <>
      <SegmentedControl
        label={t('arrival-tone')}
        value={arrivals}
        onChange={(tone) => setSound({ arrivals: tone })}
        options={arrivalTones.map((tone) => ({ value: tone, label: t(`arrival-tone-${tone}`) }))}
        wide
      />
      <Switch
        label={t('wanted-alarm')}
        description={t('wanted-alarm-hint')}
        checked={alarm}
        onChange={(event) => setSound({ alarm: event.currentTarget.checked })}
      />
    </>
  )
}
