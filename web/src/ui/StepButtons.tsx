import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LeftIcon, RightIcon } from './icons.tsx'

type Props = {
  onClick: () => void
  /** Label other than Wstecz or Dalej, for example "Zastosuj". */
  label?: string
}

export function BackButton({ onClick, label }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Button variant="default" leftSection={<LeftIcon />} onClick={onClick}>
      {label ?? t('back')}
    </Button>
  )
}

/** The primary action of a wizard step. */
export function NextButton({ onClick, label }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Button rightSection={<RightIcon />} onClick={onClick}>
      {label ?? t('next')}
    </Button>
  )
}
