import { useCallback, useMemo } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { partsOf } from './place.ts';

/** What the address says: the router decodes paths by half and queries twice, which loses names that have signs of per cent in them. */

export const useParts = (): readonly string[] | undefined => {
  const pathname = usePathname();
  return useMemo(() => partsOf(pathname), [pathname]);
};

type Search = URLSearchParams | Readonly<Record<string, string>>;
type SetSearch = (next: Search | ((now: URLSearchParams) => Search), options?: { readonly replace?: boolean }) => void;

export const useSearchParams = (): readonly [URLSearchParams, SetSearch] => {
  const search = useSearch();
  const setSearch: SetSearch = useCallback((next, options) => {
    const wanted = typeof next === 'function' ? next(new URLSearchParams(location.search)) : next;
    const query = new URLSearchParams(wanted).toString();
    navigate(query === '' ? location.pathname : `${location.pathname}?${query}`, options);
  }, []);
  return [useMemo(() => new URLSearchParams(search), [search]), setSearch];
};
