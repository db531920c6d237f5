import { useState } from 'react'

/** The state of a `ConfirmDialog` that closes when it is confirmed. */
export function useConfirm(onConfirm: () => void) {
  const [open, setOpen] = useState(false)
  const onClose = () => setOpen(false)
  return {
    ask: () => setOpen(true),
    dialog: {
      open,
      onClose,
      onConfirm: () => {
        onClose()
        onConfirm()
      },
    },
  }
}
