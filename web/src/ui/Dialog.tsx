import { Drawer, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './Dialog.module.css'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  /** Centred, from the left or right, or a bottom sheet. */
  from?: 'middle' | 'left' | 'right' | 'below'
  /** For dialogs with a table. */
  wide?: boolean
  /** Width of a centred dialog, px; default: that of a short form. */
  width?: number
  /** No padding: the content has its own. */
  flush?: boolean
  children: ReactNode
}

/** Modal dialog; Escape closes it. */
export function Dialog({ title, open, onClose, from = 'middle', wide = false, width, flush = false, children }: Props) {
  const { t } = useTranslation('ui')
  const Container = from === 'middle' ? Modal : Drawer
  const position =
    from === 'left'
      ? { size: 300 }
      : from === 'right'
        ? { position: 'right' as const, size: 380 }
        : from === 'below'
          ? { position: 'bottom' as const, size: 'auto' }
          : wide
            ? { size: 860 }
            : width
              ? { size: width }
              : {}
  return (
    <Container.Root
      opened={open}
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      classNames={{ content: from === 'below' ? `${css.content} ${css.below}` : (css.content ?? '') }}
      {...position}
    >
      <Container.Overlay />
      <Container.Content>
        <div className={css.head}>
          <Container.Title className={css.title}>{title}</Container.Title>
          <Container.CloseButton aria-label={t('dismiss')} />
        </div>
        <Container.Body className={flush ? css.flush : css.body}>{children}</Container.Body>
      </Container.Content>
    </Container.Root>
  )
}
