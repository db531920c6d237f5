import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Dialog } from '../../ui/Dialog.tsx'
import { lazyPart } from '../lazyPage.tsx'
import css from './LateDialog.module.css'

type Props = ComponentProps<typeof Dialog>

const LazyDialog = lazyPart('Dialog', () => import('../../ui/Dialog.tsx'), { Wrapper: Placeholder })

/** Dialog whose script is loaded when it is first opened. */
export function LateDialog(props: Props) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen || props.open ? <LazyDialog {...props} /> : null
}

/** Placeholder while the script loads; the parent closes it. */
function Placeholder({ open, children }: Props & { children: ReactNode }) {
  return open ? <div className={css.waiting}>{children}</div> : null
}
