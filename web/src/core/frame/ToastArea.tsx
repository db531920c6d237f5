import { Notifications } from '@mantine/notifications'
import css from './ToastArea.module.css'

/** Position of the toasts. */
export const ToastArea = () => <Notifications position="bottom-right" classNames={{ root: css.area }} />
