import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../../ui/Kbd.tsx'
import type { Build } from '../useBuild.ts'
import css from './Footer.module.css'
import { SourceLink } from './SourceLink.tsx'
import { openShortcutHelp } from './shortcutHelp.ts'

type Props = {
  /** Undefined while loading. */
  build: Build | undefined
  /** Shows a button for the list of shortcuts. */
  keys?: boolean
  /** Tool of a feature, on the left. */
  tool?: ((className: string | undefined) => ReactNode) | undefined
}

/** Version, owner and source code. */
export function Footer({ build, keys = false, tool }: Props) {
  const { t } = useTranslation()
  return (
    <footer className={css.footer} data-tool={tool ? true : undefined}>
      {tool?.(css.tool)}
      <span>Rogatka {build?.buildCode}</span>
      {build?.ownerCompany && <span>{t('owner', { name: build.ownerCompany })}</span>}
      {build && <SourceLink href={build.sourceUrl} className={css.source} />}
      {keys && (
        <button type="button" className={css.keys} onClick={openShortcutHelp}>
          <Kbd>?</Kbd> {t('keys')}
        </button>
      )}
    </footer>
  )
}
