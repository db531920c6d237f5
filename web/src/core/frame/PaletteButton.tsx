import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SearchIcon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { PALETTE_KEY } from '../shortcuts.ts'
import css from './Header.module.css'
import { keyLabel } from './keyLabel.ts'
import { openPalette } from './paletteState.ts'

/** Opens the palette; names its key while the header has room for it. */
export function PaletteButton({ className }: { className: string }) {
  const { t } = useTranslation()
  const key = keyLabel(PALETTE_KEY)
  return (
    <button
      type="button"
      className={`${className} ${css.find}`}
      title={`${t('palette')} (${key})`}
      onClick={() => openPalette()}
    >
      <SearchIcon />
      <VisuallyHidden>{t('palette')}</VisuallyHidden>
      <span className={css.keys}>
        <Kbd>{key}</Kbd>
      </span>
    </button>
  )
}
