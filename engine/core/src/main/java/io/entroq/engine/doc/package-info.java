/**
 * Docs and doc sets as off-heap records: fields and content, namespaces, the order of keys, and
 * leases. Contains no rules; the state machine decides.
 *
 * <p>Only the state machine calls this, on the applying thread.
 */
package io.entroq.engine.doc;
