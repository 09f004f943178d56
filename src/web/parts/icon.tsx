/** Small drawings, all on a grid of 16 and in the colour of the text around them. */
const PATHS = {
  back: 'M6.5 3 2.500 7l4 4M3 7h6.500a4 4 0 0 1 0 8H7',
  forward: 'm9.500 3 4 4-4 4M13 7H6.500a4 4 0 0 0 0 8H9',
  fork: 'M4.500 4.500v7M4.500 8c0-2 7-.5 7-3.500M4.500 1.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3Zm7 0a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3Zm-7 10a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3Z',
  check: 'm3 8.500 3.500 3.500L13 4.500',
  cross: 'm4 4 8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  pin: 'M8 10v5M5 2h6l-1 5 2 3H4l2-3-1-5Z',
  pencil: 'm10.500 2.500 3 3-8 8-3.500.5.5-3.500 8-8Z',
  trash: 'M2.500 4h11M6 4V2h4v2M4 4l.7 10h6.600L12 4M6.700 7v4M9.300 7v4',
  clock: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM8 4.500V8l2.500 1.500',
  search: 'M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2Zm3.700 8.700L14 14',
  settings: 'M2 4.500h7M13 4.500h1M2 11.500h1M7 11.500h7M11 2.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM5 9.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  file: 'M4 1.500h5l3.500 3.500v9.500H4v-13ZM9 1.500V5h3.500',
  folder: 'M1.500 3.500h5l1.500 2h6.500v7.500h-13v-9.500Z',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  up: 'm4 10 4-4 4 4',
  warn: 'M8 2 1.500 13.500h13L8 2Zm0 4.500v3.500M8 11.700v.1',
  info: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM8 7.500V11M8 5v.1',
  copy: 'M5.500 5.500h8v8h-8v-8ZM3 10.500h-.5v-8h8V3',
  download: 'M8 2v8m-3.500-3L8 10.500 11.500 7M2.500 13.500h11',
  user: 'M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM2.500 14c0-3 2.500-4.500 5.500-4.500s5.500 1.500 5.500 4.500',
  agent: 'M3 5.500h10v8H3v-8ZM8 2.500v3M6 9v1M10 9v1',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500Z',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  message: 'M2 3h12v8.500H7L4 14v-2.500H2V3Z',
  keyboard: 'M1.500 4h13v8h-13V4ZM4 6.500h.1M6.500 6.500h.1M9 6.500h.1M11.700 6.500h.1M5 9.500h6',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'more' ? 2.5 : 1.5}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
