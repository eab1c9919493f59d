/**
 * Histories of what callers did, and the checker that compares them with what one queue could have
 * done: {@link io.entroq.system.history.HistoryChecker}. It knows nothing of members, faults or
 * connections. Immutable values; one thread checks.
 */
package io.entroq.system.history;
