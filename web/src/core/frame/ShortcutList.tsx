import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../../ui/Kbd.tsx'
import { setLetterShortcuts, useLetterShortcuts, useShortcutList } from '../shortcuts.ts'
import css from './GlobalShortcuts.module.css'
import { keyLabel } from './keyLabel.ts'

/** Available shortcuts, and the switch for single-letter shortcuts. */
export function ShortcutList() {
  const { t } = useTranslation()
  const keys = useShortcutList()
  const letterShortcuts = useLetterShortcuts()
  return (
    <div className={css.help}>
      <dl className={css.keys}>
        {keys.map(({ key, label }) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((part, at) => (
                <span key={part}>
                  {at > 0 && ` ${t('key-then')} `}
                  <Kbd>{keyLabel(part)}</Kbd>
                </span>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label={t('keys-letters')}
        checked={letterShortcuts}
        onChange={(event) => setLetterShortcuts(event.currentTarget.checked)}
      />
    </div>
  )
}
