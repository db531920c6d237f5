import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import button from '../../ui/bareButton.module.css'
import { FilterIcon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import css from './Header.module.css'
import { useFilterPanel } from './useFilterPanel.ts'

/** Button in the bar that collapses or expands the filter panel. */
export function FilterPanelToggle() {
  const { t } = useTranslation()
  const { kind, open, toggle } = useFilterPanel()
  const label = t(kind === 'beside' ? (open ? 'collapse-filters' : 'expand-filters') : 'filters')
  // Phones show only the icon, as the steps and buttons take the width.
  if (kind === 'sheet')
    return (
      <button
        type="button"
        className={`${button.bare} ${css.tool}`}
        onClick={toggle}
        aria-expanded={open}
        aria-label={label}
      >
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
      {label}
    </Button>
  )
}
