import type { Content, WireSignGroup } from '@rogatka/contract/vms.ts'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { SignImage } from './SignImage.tsx'
import { contentIn, markOf } from './signs.ts'
import { useContentTexts, useSignTexts, useVariantTexts } from './useSignTexts.ts'
import css from './Vms.module.css'

type Props = {
  group: WireSignGroup
  contents: readonly Content[] | undefined
  /** The command to confirm: `disable`, or enable a variant. Null: closed. */
  command: 'disable' | { variant: number } | null
  onClose: () => void
  onConfirm: () => void
}

/** Confirms a command to a group, with what each sign will show. */
export function ConfirmCommand({ group, contents, command, onClose, onConfirm }: Props) {
  const { t } = useTranslation('vms')
  const { variantName } = useVariantTexts(group)
  const { signName, statusOf } = useSignTexts()
  const { imageOf, textOf } = useContentTexts(contents)
  const variant = command === null || command === 'disable' ? null : command.variant
  const names = { group: group.group.description, variant: variant === null ? '' : variantName(variant) }
  const hasPlate = group.vms.some(({ plate }) => plate !== null)
  return (
    <ConfirmDialog
      title={t(variant === null ? 'disable-question' : 'enable-question', names)}
      open={command !== null}
      onClose={onClose}
      onConfirm={onConfirm}
      confirmLabel={t(variant === null ? 'disable-all' : 'enable-all')}
      destructive={variant === null}
    >
      <ul className={css.plan}>
        {group.vms.map((sign) => {
          const content = variant === null ? null : contentIn(sign, variant)
          return (
            <li key={sign.id}>
              <span className={css.lines}>
                {signName(sign)}
                <small className={css.state}>
                  <StatusMark status={markOf(sign)} />
                  {statusOf(sign)}
                </small>
              </span>
              {content !== null && <SignImage link={imageOf(content)} alt={textOf(content)} none={textOf(content)} />}
            </li>
          )
        })}
      </ul>
      {variant === null && hasPlate && <p className={css.note}>{t('disable-with-plate')}</p>}
    </ConfirmDialog>
  )
}
