import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Dialog } from '../../ui/Dialog.tsx'
import { lazyPart } from '../lazyPage.tsx'
import css from './LateDialog.module.css'

type Props = ComponentProps<typeof Dialog>

const Loaded = lazyPart('Dialog', () => import('../../ui/Dialog.tsx'), { Around: Waiting })

/** A dialog of the frame, whose script is fetched when it is first opened: most pages are left without one. */
export function LateDialog(props: Props) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen || props.open ? <Loaded {...props} /> : null
}

/** Until its script is there; closed by whoever opened it. */
function Waiting({ open, children }: Props & { children: ReactNode }) {
  return open ? <div className={css.waiting}>{children}</div> : null
}
