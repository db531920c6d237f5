import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../lazyPage.tsx'
import { PALETTE_KEY, useShortcuts } from '../shortcuts.ts'
import { toggleMuted } from '../sound.ts'
import { LazyDialog } from './LazyDialog.tsx'
import { shortcutOf } from './navigation.ts'
import { openPalette } from './paletteState.ts'
import { closeShortcutHelp, openShortcutHelp, useShortcutHelpOpen } from './shortcutHelp.ts'
import { useNavigation } from './useNavigation.ts'

// Loaded when first opened.
const ShortcutList = lazyPart('ShortcutList', () => import('./ShortcutList.tsx'))

/** Focuses the search field of the page; without one opens the palette. */
function focusSearch() {
  const field = document.querySelector<HTMLInputElement>('#main [role="searchbox"]')
  if (!field) return openPalette()
  field.focus()
  field.select()
}

/** Global shortcuts, and the dialog that lists them (?). */
export function GlobalShortcuts() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { main } = useNavigation()
  const isHelpOpen = useShortcutHelpOpen()
  useShortcuts([
    { key: PALETTE_KEY, label: t('palette'), run: () => openPalette() },
    { key: '/', label: t('key-search'), run: focusSearch },
    ...main.map((target) => ({
      key: shortcutOf(target),
      label: t('key-go', { name: t(target.name) }),
      run: () => void navigate({ to: target.to }),
    })),
    { key: 'm', label: t('mute'), run: toggleMuted },
    { key: '?', label: t('key-show-keys'), run: openShortcutHelp },
  ])
  return (
    <LazyDialog title={t('keys-title')} open={isHelpOpen} onClose={closeShortcutHelp}>
      <ShortcutList />
    </LazyDialog>
  )
}
