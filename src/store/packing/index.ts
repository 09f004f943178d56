/**
 * packing: what makes a store small. What lies where, what is needed, a new pack made by git, and the removal of what it makes
 * superfluous. When each of these may happen is for the engine to say.
 */
export { FOLDERS, type LooseFile, listLoose, listPacks, namesIn, type StoredPack } from './inventory.ts';
export { NewPack, type PackProgress } from './new-pack.ts';
export { Reach } from './reach.ts';
export { removeEmptyFolders, removeIfThere, removePack } from './remove.ts';
