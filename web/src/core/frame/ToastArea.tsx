import { Notifications } from '@mantine/notifications'

/** The corner in which small messages stand. */
export const ToastArea = () => <Notifications position="bottom-right" />
