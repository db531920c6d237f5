import { useTranslation } from 'react-i18next'
import css from './StoredValue.module.css'

/** Mantine prop: the description is below the input. */
export const descriptionBelow = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
}

/** The value that another user stored in this field in the meantime. */
export function StoredValue({ value }: { value: string | undefined }) {
  const { t } = useTranslation('ui')
  return value === undefined ? null : <span className={css.stored}>{t('stored-meanwhile', { value })}</span>
}

/** Props that show another user's stored value below a text field. */
export const storedBelow = (stored: string | undefined) => ({
  ...descriptionBelow,
  description: stored !== undefined && <StoredValue value={stored} />,
})
