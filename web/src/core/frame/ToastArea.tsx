import { Notifications } from '@mantine/notifications'

/** Position of the toasts. */
export const ToastArea = () => <Notifications position="bottom-right" />
