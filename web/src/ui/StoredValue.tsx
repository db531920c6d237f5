import { useTranslation } from 'react-i18next'
import css from './StoredValue.module.css'

/** Where a text field shows its description: below the input. */
export const descriptionBelow = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
}

/** Beside a field that somebody else changed while it was filled in here: what they stored. */
export function StoredValue({ value }: { value: string | undefined }) {
  const { t } = useTranslation('ui')
  return value === undefined ? null : <span className={css.stored}>{t('stored-meanwhile', { value })}</span>
}

/** Where a text field shows what somebody else stored in it meanwhile. */
export const storedBelow = (stored: string | undefined) => ({
  ...descriptionBelow,
  description: stored !== undefined && <StoredValue value={stored} />,
})
