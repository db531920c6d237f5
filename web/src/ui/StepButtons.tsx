import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LeftIcon, RightIcon } from './icons.tsx'

type Props = {
  onClick: () => void
  /** Another word than Wstecz or Dalej: "Zastosuj". */
  label?: string
}

/** One step back; always in the same place. */
export function BackButton({ onClick, label }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Button variant="default" leftSection={<LeftIcon />} onClick={onClick}>
      {label ?? t('back')}
    </Button>
  )
}

/** One step on: the one primary action of a wizard's page. */
export function NextButton({ onClick, label }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Button rightSection={<RightIcon />} onClick={onClick}>
      {label ?? t('next')}
    </Button>
  )
}
