import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../lazyPage.tsx'
import { useShortcuts } from '../shortcuts.ts'
import { toggleMuted } from '../sound.ts'
import { LazyDialog } from './LazyDialog.tsx'
import { closeShortcutHelp, openShortcutHelp, useShortcutHelpOpen } from './shortcutHelp.ts'
import { useNavigation } from './useNavigation.ts'

// Loaded when first opened.
const ShortcutList = lazyPart('ShortcutList', () => import('./ShortcutList.tsx'))

/** G, then the first letter of the page's Polish name. */
const LETTERS: Record<string, string> = {
  '/overview': 'p',
  '/': 'b',
  '/inspections': 'k',
  '/archival': 'a',
  '/stat': 's',
  '/offenders': 's',
  '/vms': 'z',
}

/** Global shortcuts, and the dialog that lists them (?). */
export function GlobalShortcuts() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { main } = useNavigation()
  const isHelpOpen = useShortcutHelpOpen()
  useShortcuts([
    ...main.map(({ to, name }) => ({
      key: `g ${LETTERS[to]}`,
      label: t('key-go', { name: t(name) }),
      run: () => void navigate({ to }),
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
