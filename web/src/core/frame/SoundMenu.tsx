import { useTranslation } from 'react-i18next'
import { DownIcon } from '../../ui/icons.tsx'
import { MenuButton } from './MenuButton.tsx'

/** Sound settings of this device. */
export function SoundMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  return (
    <MenuButton menu="sound" className={className} aria-label={t('sound-settings')} title={t('sound-settings')}>
      <DownIcon />
    </MenuButton>
  )
}
