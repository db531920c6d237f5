import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useKeys } from '../keys.ts'
import { lazyPart } from '../lazyPage.tsx'
import { toggleMuted } from '../sound.ts'
import { hideKeys, showKeys, useKeysShown } from './keysHelp.ts'
import { LateDialog } from './LateDialog.tsx'
import { useNavigation } from './useNavigation.ts'

// Few ask for it, and rarely.
const KeyList = lazyPart('KeyList', () => import('./KeyList.tsx'))

/** G and then the first letter of a screen's Polish name. */
const LETTERS: Record<string, string> = { '/': 'b', '/archival': 'a', '/stat': 's', '/vms': 'z' }

/** The keys that work on every page, and their list (?). */
export function FrameKeys() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { main } = useNavigation()
  const shown = useKeysShown()
  useKeys([
    ...main.map(({ to, name }) => ({
      key: `g ${LETTERS[to]}`,
      label: t('key-go', { name: t(name) }),
      run: () => void navigate({ to }),
    })),
    { key: 'm', label: t('mute'), run: toggleMuted },
    { key: '?', label: t('key-show-keys'), run: showKeys },
  ])
  return (
    <LateDialog title={t('keys-title')} open={shown} onClose={hideKeys}>
      <KeyList />
    </LateDialog>
  )
}
