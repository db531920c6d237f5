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
  // Digits that do the same are one line.
  const lines = Map.groupBy(keys, ({ key, label }) => (/^[1-9]$/.test(key) ? label : key))
  const letterShortcuts = useLetterShortcuts()
  return (
    <div className={css.help}>
      <dl className={css.keys}>
        {[...lines].map(([line, [first, ...others]]) => (
          <div key={line}>
            <dt>
              {first?.key.split(' ').map((part, at) => (
                <span key={part}>
                  {at > 0 && ` ${t('key-then')} `}
                  <Kbd>{keyLabel(part)}</Kbd>
                </span>
              ))}
              {others.length > 0 && (
                <>
                  {' – '}
                  <Kbd>{keyLabel(others.at(-1)?.key ?? '')}</Kbd>
                </>
              )}
            </dt>
            <dd>{first?.label}</dd>
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
