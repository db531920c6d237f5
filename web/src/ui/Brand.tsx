import css from './Brand.module.css'

/** Logo and product name. */
export const Brand = ({ size = 'small' }: { size?: 'small' | 'large' }) => (
  <span className={`${css.brand} ${size === 'large' ? css.large : ''}`}>
    <svg viewBox="0 0 28 28" aria-hidden="true">
      <path d="M3 25V11h5v14z" fill="currentColor" />
      <path d="M3.6 12.6L24.2 2.2l2 3.9L5.6 16.5z" fill="currentColor" />
      <path d="M10.6 9.1l3.7-1.9 2 3.9-3.7 1.9zM17.7 5.5l3.7-1.9 2 3.9-3.7 1.9z" fill="var(--amber-fill)" />
    </svg>
    Rogatka
  </span>
)
