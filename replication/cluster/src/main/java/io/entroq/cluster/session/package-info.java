/**
 * The session by which a member sends its callers' commands and its own control messages to the
 * leader: authentication, finding the leader, following it to the next one, and the proposing
 * thread. Replies do not use it; a member answers its callers from its own state.
 *
 * <p>Used by {@code member} alone.
 */
package io.entroq.cluster.session;
