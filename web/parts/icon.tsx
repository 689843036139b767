const shapes = {
  scales: 'M12 4v16M8 20h8M5 7l7-2 7 2M5 7l-2.5 6a2.7 2.7 0 0 0 5 0zM19 7l-2.5 6a2.7 2.7 0 0 0 5 0z',
  boxes:
    'M12 3l4 2.2v4.6L12 12 8 9.8V5.2zM7 12l4 2.2v4.6L7 21l-4-2.2v-4.6zM17 12l4 2.2v4.6L17 21l-4-2.2v-4.6z',
  disk: 'M5 6.5C5 5 8 4 12 4s7 1 7 2.5v11c0 1.5-3 2.5-7 2.5s-7-1-7-2.5zM5 6.5C5 8 8 9 12 9s7-1 7-2.5M5 12c0 1.5 3 2.5 7 2.5s7-1 7-2.5',
  server: 'M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01M11 8h6M11 16h6',
  store: 'M4 10v9h16v-9M3 10l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0M10 19v-4h4v4',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6',
  key: 'M14.5 9.5a4 4 0 1 0-3.8 4L12.5 15H15v2.5h2.5V20H21v-3.5l-6.8-5.8M9.5 8.5h.01',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.8-4.8',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M4.6 4.6l1.4 1.4M18 18l1.4 1.4M2.5 12h2M19.5 12h2M4.6 19.4L6 18M18 6l1.4-1.4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.3v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6v.1',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  up: 'M12 19V6M6.5 11L12 5.5 17.5 11',
  down: 'M12 5v13M6.5 13l5.5 5.5 5.5-5.5',
  upload: 'M12 16V5M7.5 9.5L12 5l4.5 4.5M5 20h14',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  chevron: 'M7 10l5 5 5-5',
  plus: 'M12 5v14M5 12h14',
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  bulb: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2v.1h5V16c0-.8.4-1.5 1-2A6 6 0 0 0 12 3z',
  chart: 'M4 4v16h16M8 16l3.5-5 3 3L20 7',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  gear: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.6 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.5-1.2 1-1.2 1.9M12 16.6v.1',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  snooze: 'M12 20a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM12 9.5V13l2.3 1.4M4 6l3-2.5M20 6l-3-2.5',
  plug: 'M9 3v5M15 3v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4',
} as const

export type IconName = keyof typeof shapes

/** The icon is hidden from screen readers, because the text beside it says the same. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
