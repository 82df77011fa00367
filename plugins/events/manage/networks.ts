/** Moves a repository with its forks, and theirs, to another network. */
import type { Collection } from 'plugboard/sdk';
import type { RepositoryDocument } from '../directory/documents.js';

/** Repositories that one batch may move. */
export const MOST_MOVED = 1_000;

/** Generations of forks that are followed. */
const MOST_GENERATIONS = 1_000;

/** How many were moved; undefined, and none moved, if there are more than `most`. */
export async function moveNetwork(
  repositories: Collection<RepositoryDocument>,
  root: number,
  network: number,
  most: number,
): Promise<number | undefined> {
  const moved = new Set([root]);
  for (let generation = [root]; generation.length > 0;) {
    const forks = await repositories
      .find({ parent: { $in: generation } }, { projection: { id: 1 }, limit: MOST_MOVED })
      .toArray();
    generation = forks.map(({ id }) => id).filter((id) => !moved.has(id));
    for (const id of generation) moved.add(id);
    if (moved.size > most) return undefined;
  }
  await repositories.updateMany({ _id: { $in: [...moved].map(String) } }, { $set: { network } });
  return moved.size;
}

/** Whether `id` is the repository or one that it is a fork of, directly or not. */
export async function isForkOf(
  repositories: Collection<RepositoryDocument>,
  repository: RepositoryDocument,
  id: number,
): Promise<boolean> {
  let at: RepositoryDocument | null = repository;
  for (let generations = 0; at !== null && generations < MOST_GENERATIONS; generations += 1) {
    if (at.id === id) return true;
    if (at.parent === null) return false;
    at = await repositories.findOne({ _id: String(at.parent) });
  }
  return at !== null;
}
