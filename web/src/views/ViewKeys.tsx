import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { showError } from '../core/errors.ts'
import { useShortcuts } from '../core/shortcuts.ts'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** 1 to 9 open the first nine views from any page. */
export function ViewKeys() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = async (digit: string) => {
    const { openNumber } = await import('./opening.ts')
    await openNumber(Number(digit), navigate)
  }
  useShortcuts(
    DIGITS.map((digit) => ({ key: digit, label: t('key-views'), run: () => void open(digit).catch(showError) })),
    // Other digits of a page are its own, such as those of weights.
    true,
  )
  return null
}
