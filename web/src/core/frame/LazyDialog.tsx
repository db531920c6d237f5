import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Dialog } from '../../ui/Dialog.tsx'
import { lazyPart } from '../lazyPage.tsx'
import css from './LazyDialog.module.css'

type Props = ComponentProps<typeof Dialog>

const LoadedDialog = lazyPart('Dialog', () => import('../../ui/Dialog.tsx'), { Wrapper: Placeholder })

/** Dialog whose script is loaded when it is first opened. */
export function LazyDialog(props: Props) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen || props.open ? <LoadedDialog {...props} /> : null
}

/** Placeholder while the script loads; the parent closes it. */
function Placeholder({ open, children }: Props & { children: ReactNode }) {
  return open ? <div className={css.waiting}>{children}</div> : null
}
