import { Notifications } from '@mantine/notifications'

/** The corner in which small messages stand. */
export const ToastCorner = () => <Notifications position="bottom-right" />
