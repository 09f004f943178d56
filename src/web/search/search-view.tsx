export const SearchView = () => null;
