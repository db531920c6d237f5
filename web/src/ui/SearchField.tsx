import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './IconButton.tsx'
import { CloseIcon, SearchIcon } from './icons.tsx'
import { Kbd } from './Kbd.tsx'
import css from './SearchField.module.css'

/** Debounce of the search, ms. */
const DELAY_MS = 300

type Props = {
  label: string
  /** The current search text. */
  value: string
  onSearch: (text: string) => void
  /** The field, and the key that focuses it. */
  field?: RefObject<HTMLInputElement | null>
  focusKey?: string
}

/** Search field; searches while typing, debounced. */
export function SearchField({ label, value, onSearch, field, focusKey }: Props) {
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
      {...(field && { ref: field })}
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
        fieldText ? (
          <IconButton className={css.clear} aria-label={t('clear-search')} onClick={() => type('')}>
            <CloseIcon size={14} />
          </IconButton>
        ) : (
          focusKey && <Kbd>{focusKey}</Kbd>
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
