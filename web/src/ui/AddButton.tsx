import { Button } from '@mantine/core'
import css from './FormBar.module.css'
import { PlusIcon } from './icons.tsx'

/** Opens the form for a new record; phones show only the plus icon. */
export const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button leftSection={<PlusIcon />} classNames={{ section: css.icon ?? '' }} aria-label={label} onClick={onClick}>
    <span className={css.label}>{label}</span>
  </Button>
)
