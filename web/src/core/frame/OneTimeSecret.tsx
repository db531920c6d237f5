import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { copyText } from '../copyText.ts'
import { useSuccessToast } from '../useSuccessToast.ts'
import { useWarningToast } from '../useWarningToast.ts'
import css from './OneTimeSecret.module.css'

type Props = {
  title: string
  /** That it is shown only now, and what to do with it. */
  once: string
  use: string
  label: string
  value: string
  /** Texts of the copy button, and of its results. */
  copy: { action: string; done: string; failed: string }
  onClose: () => void
}

/** A secret that is shown once, with a button that copies it. */
export function OneTimeSecret({ title, once, use, label, value, copy, onClose }: Props) {
  const { t } = useTranslation('ui')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const copyValue = () =>
    void copyText(value).then(
      () => showSuccess(copy.done),
      (error: unknown) => showWarning(copy.failed, error),
    )
  return (
    <Dialog title={title} open onClose={onClose} wide>
      <div className={css.content}>
        <Notice>{once}</Notice>
        <p>{use}</p>
        <TextInput
          label={label}
          value={value}
          readOnly
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={css.buttons}>
          <Button onClick={copyValue} data-autofocus>
            {copy.action}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('dismiss')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
