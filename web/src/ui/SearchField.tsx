import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './IconButton.tsx'
import { CloseIcon, SearchIcon } from './icons.tsx'
import css from './SearchField.module.css'

/** Debounce of the search, ms. */
const DELAY_MS = 300

type Props = {
  label: string
  /** The current search text. */
  value: string
  onSearch: (text: string) => void
}

/** Search field; searches while typing, debounced. */
export function SearchField({ label, value, onSearch }: Props) {
  const { t } = useTranslation('ui')
  const [draft, setDraft] = useState<string | null>(null)
  const [previousValue, setPreviousValue] = useState(value)
  const search = useDebouncedCallback((text: string) => {
    if (text.trim() !== value) onSearch(text.trim())
  }, DELAY_MS)
  // The search changed from outside (back button, link). Text typed in the meantime is kept.
  if (value !== previousValue) {
    setPreviousValue(value)
    if (draft?.trim() !== value && !search.isPending()) setDraft(null)
  }
  const type = (text: string) => {
    setDraft(text)
    search(text)
  }
  const fieldText = draft ?? value
  return (
    <TextInput
      className={css.search ?? ''}
      classNames={{ input: css.input ?? '' }}
      role="searchbox"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      maxLength={60}
      leftSection={<SearchIcon />}
      leftSectionPointerEvents="none"
      rightSection={
        fieldText && (
          <IconButton className={css.clear} aria-label={t('clear-search')} onClick={() => type('')}>
            <CloseIcon size={14} />
          </IconButton>
        )
      }
      value={fieldText}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search.flush()
        if (event.key === 'Escape' && fieldText) type('')
      }}
    />
  )
}
