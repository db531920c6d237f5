import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { copyText } from '../core/copyText.ts'
import { deviceLink } from '../core/device.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Devices.module.css'
import type { NewLink } from './useDevices.ts'

/** The link of a wall screen, shown once. */
export function DeviceLink({ link, onClose }: { link: NewLink; onClose: () => void }) {
  const { t } = useTranslation('devices')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const address = deviceLink(link.token)
  const copy = () =>
    void copyText(address).then(
      () => showSuccess(t('copied')),
      (error: unknown) => showWarning(t('copy-failed'), error),
    )
  return (
    <Dialog title={t('link-of', { name: link.device.name })} open onClose={onClose} wide>
      <div className={css.link}>
        <Notice>{t('link-once')}</Notice>
        <p>{t('link-open')}</p>
        <TextInput
          label={t('link')}
          value={address}
          readOnly
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={css.buttons}>
          <Button onClick={copy} data-autofocus>
            {t('copy')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('ui:dismiss')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
