import { Switch } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { setLettersOn, useKeyList, useKeys, useLettersOn } from '../keys.ts'
import { toggleMuted } from '../sound.ts'
import css from './FrameKeys.module.css'
import { hideKeys, showKeys, useKeysShown } from './keysHelp.ts'
import { useNavigation } from './useNavigation.ts'

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
    <Dialog title={t('keys-title')} open={shown} onClose={hideKeys}>
      <KeyList />
    </Dialog>
  )
}

function KeyList() {
  const { t } = useTranslation()
  const keys = useKeyList()
  const lettersOn = useLettersOn()
  return (
    <div className={css.help}>
      <dl className={css.keys}>
        {keys.map(({ key, label }) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((part, at) => (
                <span key={part}>
                  {at > 0 && ` ${t('key-then')} `}
                  <Kbd>{shownKey(part)}</Kbd>
                </span>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label={t('keys-letters')}
        checked={lettersOn}
        onChange={(event) => setLettersOn(event.currentTarget.checked)}
      />
    </div>
  )
}

const SIGNS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}

const shownKey = (key: string) => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key)
