/** The server's state in components: read once, cached, read again after a write. */
import {
  QueryClient,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { ApiError, call, type ApiRequest } from './call.js';
import { useConsole } from './context.js';
import type { Notice } from './contract.js';

/** One for the shell and all pages. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A refusal is final; a broken connection may recover.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
    },
  },
});

/** Reads an address; nothing while undefined. */
export function useRead<T>(
  request: ApiRequest | undefined,
  options: { every?: number } = {},
): UseQueryResult<T> {
  const context = useConsole();
  return useQuery<T>({
    queryKey: ['server', request?.path, request?.query, request?.method, request?.body],
    queryFn: ({ signal }) => call<T>(context, request!, signal),
    enabled: request !== undefined,
    placeholderData: (before) => before,
    // Sharing would convert the exact numbers to plain objects.
    structuralSharing: request?.exact !== true,
    ...(options.every !== undefined && { refetchInterval: options.every }),
  });
}

export interface WriteOptions<T> {
  /** Paths to read again after the write: `/api/keys` includes those below it. */
  readonly changes?: readonly string[];
  /** The text of the notice; without one there is none. */
  readonly done?: (answer: T) => string | Notice | undefined;
  /** A form shows the error itself. */
  readonly quiet?: boolean;
}

/** Changes something on the server. A failure is shown in a notice, with the id of the request. */
export function useWrite<T = unknown>({
  changes = [],
  done,
  quiet = false,
}: WriteOptions<T> = {}): UseMutationResult<T, Error, ApiRequest> {
  const context = useConsole();
  return useMutation<T, Error, ApiRequest>({
    mutationFn: (request) => call<T>(context, request),
    onSuccess: (answer) => {
      const said = done?.(answer);
      if (said !== undefined) context.notify(typeof said === 'string' ? { message: said } : said);
    },
    onError: (error) => {
      if (!quiet) context.notify({ kind: 'failed', message: describe(error) });
    },
    // After a failure too: another person may have changed it.
    onSettled: () => {
      void queries.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) =>
          kind === 'server' && changes.some((changed) => String(path).startsWith(changed)),
      });
    },
  });
}

/** The message of an error, with the id of its request. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ApiError && error.requestId !== undefined
    ? `${message} (${error.requestId})`
    : message;
}
