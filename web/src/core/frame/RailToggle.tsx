import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FilterIcon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import css from './Header.module.css'
import { useRail } from './rail.ts'

/** Folds the rail away or brings it back; belongs into the bar of a page that has one. */
export function RailToggle() {
  const { t } = useTranslation()
  const { kind, open, toggle } = useRail()
  const texts = t(kind === 'beside' ? (open ? 'fold-filters' : 'unfold-filters') : 'filters')
  // Beside the steps and their buttons a phone has no room for the word.
  if (kind === 'sheet')
    return (
      <button type="button" className={css.tool} onClick={toggle} aria-expanded={open} aria-label={texts}>
        <FilterIcon />
      </button>
    )
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<FilterIcon />}
      rightSection={<Kbd>F</Kbd>}
      onClick={toggle}
      aria-expanded={open}
    >
      {texts}
    </Button>
  )
}
