/**
 * Docs as records outside the heap: the fields and content of each, the namespaces they are in, the
 * order of their keys, and the leases of those that are claimed. Knows no rules; the state machine
 * decides.
 *
 * <p>Called by the state machine only, on the thread that applies commands.
 */
package io.entroq.engine.doc;
