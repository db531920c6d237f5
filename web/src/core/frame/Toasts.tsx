import { useNotifications } from '@mantine/notifications'
import { useState } from 'react'
import { lazyPart } from '../lazyPage.tsx'

const ToastArea = lazyPart('ToastArea', () => import('./ToastArea.tsx'), { Around: () => null })

/** Small messages. Most pages never have one, so that what shows them is fetched with the first. */
export function Toasts() {
  const { notifications } = useNotifications()
  const [needed, setNeeded] = useState(false)
  if (!needed && notifications.length > 0) setNeeded(true)
  return needed && <ToastArea />
}
