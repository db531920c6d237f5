import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './IconButton.tsx'
import { CloseIcon, SearchIcon } from './icons.tsx'
import css from './SearchField.module.css'

/** So long after the last letter a search begins. */
const DELAY_MS = 300

type Props = {
  label: string
  /** What is searched for now. */
  value: string
  onSearch: (text: string) => void
}

/** A field that searches while one types. */
export function SearchField({ label, value, onSearch }: Props) {
  const { t } = useTranslation('ui')
  const [typed, setTyped] = useState<string | null>(null)
  const [known, setKnown] = useState(value)
  const search = useDebouncedCallback((text: string) => {
    if (text.trim() !== value) onSearch(text.trim())
  }, DELAY_MS)
  // Somebody else searches: the way back, a link. What was typed in the meantime stays.
  if (value !== known) {
    setKnown(value)
    if (typed?.trim() !== value && !search.isPending()) setTyped(null)
  }
  const type = (text: string) => {
    setTyped(text)
    search(text)
  }
  const shown = typed ?? value
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
        shown && (
          <IconButton className={css.clear} aria-label={t('clear-search')} onClick={() => type('')}>
            <CloseIcon size={14} />
          </IconButton>
        )
      }
      value={shown}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search.flush()
        if (event.key === 'Escape' && shown) type('')
      }}
    />
  )
}
