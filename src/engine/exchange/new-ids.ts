import { type Operation, type OperationId, shortId } from '../../model/index.ts';
import { withReferences } from '../../timeline/index.ts';

/** What operations are called that were written anew, oldest first. */
export class NewIds {
  readonly #ids = new Map<OperationId, OperationId>();
  readonly #short = new Map<string, string>();

  add(before: OperationId, after: OperationId): void {
    this.#ids.set(before, after);
    this.#short.set(shortId(before), shortId(after));
  }

  /** The operation with new ids, also where people read them; `otherwise` tells what becomes of one that was not written anew. */
  in(operation: Operation, otherwise: (id: OperationId) => OperationId): Operation {
    const named = withReferences(operation, (id) => this.#ids.get(id) ?? otherwise(id));
    // What an agent's event is called by are the words of a person or a command.
    if ('event' in named) return named;
    return { ...named, description: named.description.replaceAll(/\b[0-9a-f]{10}\b/g, (id) => this.#short.get(id) ?? id) };
  }
}
