/** Checks and translates sort, skip, limit and projection: 0 and negative numbers mean something else to MongoDB. */
import type { Sort as DriverSort } from 'mongodb';
import { type FindOptions, type Sort, StorageError } from 'plugboard/sdk';
import { checkPath } from './path.js';

export interface DriverFindOptions {
  sort?: DriverSort;
  skip?: number;
  limit?: number;
  projection?: Record<string, 0 | 1>;
}

export function toFindOptions({ sort, skip, limit, projection }: FindOptions<never>): DriverFindOptions {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))
    invalid('limit is a whole number from 1');
  if (skip !== undefined && !(Number.isInteger(skip) && skip >= 0)) invalid('skip is a whole number from 0');
  return {
    ...(sort !== undefined && { sort: toSort(sort) }),
    ...(skip !== undefined && { skip }),
    ...(limit !== undefined && { limit }),
    ...(projection !== undefined && { projection: checkProjection(projection) }),
  };
}

export function toSort(sort: Sort): DriverSort {
  for (const [path, direction] of Object.entries(sort)) {
    checkPath(path);
    if (direction !== 1 && direction !== -1) invalid(`sort of "${path}" is 1 or -1`);
  }
  return { ...sort };
}

function checkProjection(projection: Readonly<Record<string, unknown>>): Record<string, 0 | 1> {
  for (const [path, value] of Object.entries(projection)) {
    checkPath(path);
    if (value !== 0 && value !== 1) invalid(`projection of "${path}" is 0 or 1`);
  }
  return { ...projection } as Record<string, 0 | 1>;
}

function invalid(message: string): never {
  throw new StorageError('invalid', message);
}
