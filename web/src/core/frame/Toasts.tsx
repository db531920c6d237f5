import { useNotifications } from '@mantine/notifications'
import { useState } from 'react'
import { lazyPart } from '../lazyPage.tsx'

const ToastArea = lazyPart('ToastArea', () => import('./ToastArea.tsx'), { Wrapper: () => null })

/** Toast container, loaded with the first toast. */
export function Toasts() {
  const { notifications } = useNotifications()
  const [needed, setNeeded] = useState(false)
  if (!needed && notifications.length > 0) setNeeded(true)
  return needed && <ToastArea />
}
