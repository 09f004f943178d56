import { navigate } from 'wouter/use-browser-location';
import { useWorkspaceId } from '../client/workspace.tsx';
import { placesIn } from './place.ts';

export const usePlaces = () => placesIn(useWorkspaceId());

const go = (place: string): void => navigate(place);

export const useGo = (): ((place: string) => void) => go;
