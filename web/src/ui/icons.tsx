import type { ReactNode } from 'react'
import css from './icons.module.css'

/*
 * Icons of the portal: 16 px, one line width. Decorative, because a text or a label always accompanies them: hidden
 * from screen readers.
 */

const icon = (drawing: ReactNode) =>
  function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg className={css.icon} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
        {drawing}
      </svg>
    )
  }

const lines = (d: string) => icon(<path d={d} />)

export const CloseIcon = lines('M4 4l8 8M12 4l-8 8')
export const TrashIcon = lines('M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.8M9.2 7v3.8')
export const CheckIcon = lines('M3 8.4l3.4 3.4L13 4.8')
export const DownIcon = lines('M4.5 6.5L8 10l3.5-3.5')
export const LeftIcon = lines('M10 3.5L5.5 8l4.5 4.5')
export const RightIcon = lines('M6 3.5L10.5 8 6 12.5')
export const UpIcon = lines('M4.5 9.5L8 6l3.5 3.5')
export const ConnectionIcon = lines('M9 2L4 9h3.5L7 14l5-7H8.5Z')
export const LogoutIcon = lines('M6.5 2.5h-4v11h4M6.5 8h7M10.8 5.2L13.5 8l-2.7 2.8')
export const MapIcon = lines('M2.5 4l3.7-1.5 3.6 1.5 3.7-1.5v9.5l-3.7 1.5-3.6-1.5-3.7 1.5ZM6.2 2.5V12M9.8 4v9.5')
export const RoadIcon = lines('M5.5 2.5L3 13.5M10.5 2.5L13 13.5M8 3v2M8 7v2M8 11v2')
export const ListIcon = lines('M3 4.5h10M3 8h10M3 11.5h10')
export const ChartIcon = lines('M2.5 13.5h11M4.5 13V8M8 13V4M11.5 13V6.5')
export const SignIcon = lines('M2.5 3h11v6h-11ZM8 9v4.5M5.5 13.5h5')
export const MoreIcon = lines('M3.5 8h.01M8 8h.01M12.5 8h.01')
export const SoundIcon = lines(
  'M2.5 6.2v3.6h2.3L8 12.6V3.4L4.8 6.2ZM10.4 5.8a3.2 3.2 0 0 1 0 4.4M12.2 4a5.6 5.6 0 0 1 0 8',
)
export const MutedIcon = lines('M2.5 6.2v3.6h2.3L8 12.6V3.4L4.8 6.2ZM10.8 6.2l3 3.6M13.8 6.2l-3 3.6')
export const SunIcon = lines(
  'M8 5.2a2.8 2.8 0 1 0 .01 0ZM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1',
)
export const MoonIcon = lines('M12.8 9.6A5.4 5.4 0 0 1 6.2 3a5.4 5.4 0 1 0 6.6 6.6Z')
export const ScreenIcon = lines('M2 3h12v8H2ZM8 11v2.5M5.5 13.5h5')
export const SettingsIcon = lines('M2.5 4.5h5M11.5 4.5h2M9.5 2.8v3.4M2.5 11.5h2M8.5 11.5h5M6.5 9.8v3.4')
export const FilterIcon = lines('M2.5 3.5h11L9.4 8.4v4.8L6.6 11.6V8.4Z')
export const PlusIcon = lines('M8 3v10M3 8h10')
export const PencilIcon = lines('M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2Z')
export const FileIcon = lines('M4 1.8h5.2L12.5 5v9.2H4ZM9 2v3.2h3.3')
export const CalendarIcon = lines('M2.5 3.5h11v10h-11ZM2.5 6.8h11M5.5 2v3M10.5 2v3')
export const PrintIcon = lines('M4.5 6V2.5h7V6M4.5 11.5H2.8V6h10.4v5.5h-1.7M4.5 9.5h7v4h-7Z')
export const ClockIcon = lines('M8 2.2a5.8 5.8 0 1 0 .01 0ZM8 4.8V8l2.2 1.6')
export const SearchIcon = lines('M7 2.8a4.2 4.2 0 1 0 .01 0ZM10.2 10.2l3.4 3.4')
export const AscendingIcon = lines('M8 13V3.5M4.5 7L8 3.5 11.5 7')
export const DescendingIcon = lines('M8 3v9.5M4.5 9L8 12.5 11.5 9')
export const ScaleIcon = lines('M2.5 13h11M4 13l1-3.5h6l1 3.5M8 9.5V6M5 6h6M5.5 3.2h5V6h-5Z')
export const EraseIcon = lines('M5.5 4h8v8h-8L2 8ZM7.5 6.3l3.4 3.4M10.9 6.3L7.5 9.7')
export const UndoIcon = lines('M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.5l-3 3 3 3')
export const StarIcon = lines('M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6Z')
export const LinkIcon = lines(
  'M6.6 9.4l2.8-2.8M7.2 4.6l1.5-1.5a2.7 2.7 0 0 1 3.9 3.9l-1.6 1.5M8.8 11.4l-1.5 1.5a2.7 2.7 0 0 1-3.9-3.9L5 7.5',
)
export const CameraIcon = lines('M2 5h3l1-1.8h4L11 5h3v8H2ZM8 6.6a2.2 2.2 0 1 0 .01 0Z')
export const KeyIcon = lines('M10.5 2.6a2.9 2.9 0 1 0 .01 0ZM8.4 7.6L3 13M5.2 10.8l1.9 1.9')
export const UserIcon = lines('M8 2.6a2.6 2.6 0 1 0 .01 0ZM3 13.4a5 5 0 0 1 10 0')
