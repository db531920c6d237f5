import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from './FormBar.module.css'
import { LeftIcon } from './icons.tsx'

type TitleProps = {
  /** The list to which the way back leads. */
  back: string
  onBack: () => void
  title: string
}

/** The left of a form's bar: the way back to the list, and what is filled in. */
export const FormTitle = ({ back, onBack, title }: TitleProps) => (
  <div className={css.title}>
    <Button
      variant="default"
      className={css.back ?? ''}
      classNames={{ section: css.plus ?? '' }}
      aria-label={back}
      leftSection={<LeftIcon />}
      onClick={onBack}
    >
      <span className={css.texts}>{back}</span>
    </Button>
    <h1>{title}</h1>
  </div>
)

type ActionsProps = {
  /** The id of the form that is sent. */
  form: string
  /** Something was changed and is not saved yet. */
  dirty: boolean
  saving: boolean
  onCancel: () => void
}

/** The right of a form's bar. */
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

/** After the last field, so that the keyboard need not go back to the bar. */
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
