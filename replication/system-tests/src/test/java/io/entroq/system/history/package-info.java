/**
 * What callers asked of a cluster and what they were told, and whether both can be true of one
 * queue: {@link io.entroq.system.history.HistoryChecker} looks for what is lost, doubled, a
 * phantom, stuck or stale. It knows nothing of members, faults or connections.
 */
package io.entroq.system.history;
