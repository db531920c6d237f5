import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from './FormBar.module.css'
import { LeftIcon } from './icons.tsx'

type TitleProps = {
  /** Name of the list to return to. */
  back: string
  onBack: () => void
  title: string
}

/** Left part of a form's bar: back button and title. */
export const FormTitle = ({ back, onBack, title }: TitleProps) => (
  <div className={css.title}>
    <Button
      variant="default"
      className={css.back ?? ''}
      classNames={{ section: css.icon ?? '' }}
      aria-label={back}
      leftSection={<LeftIcon />}
      onClick={onBack}
    >
      <span className={css.label}>{back}</span>
    </Button>
    <h1>{title}</h1>
  </div>
)

type ActionsProps = {
  /** Id of the form element to submit. */
  form: string
  /** There are unsaved changes. */
  dirty: boolean
  saving: boolean
  onCancel: () => void
}

/** Right part of a form's bar: cancel and save. */
export function FormActions({ form, dirty, saving, onCancel }: ActionsProps) {
  const { t } = useTranslation('ui')
  return (
    <>
      {dirty && <span className={css.unsaved}>{t('unsaved')}</span>}
      <Button variant="default" className={css.cancel ?? ''} onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" form={form} loading={saving}>
        {t('save')}
      </Button>
    </>
  )
}

/** A second save button after the last field, so that keyboard users need not return to the bar. */
export function FormEnd({ saving }: Pick<ActionsProps, 'saving'>) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.end}>
      <Button type="submit" loading={saving}>
        {t('save')}
      </Button>
    </div>
  )
}
