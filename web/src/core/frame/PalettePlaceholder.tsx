import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './LazyDialog.module.css'
import { closePalette, setEarlyInput } from './paletteState.ts'

/** Placeholder while the script of the palette loads: takes what is typed meanwhile. */
export function PalettePlaceholder({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={css.waiting} role="dialog" aria-label={t('palette')}>
      <input
        ref={(field) => field?.focus()}
        className={css.typed}
        aria-label={t('palette')}
        onChange={(event) => setEarlyInput(event.currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && closePalette()}
      />
      {children}
    </div>
  )
}
