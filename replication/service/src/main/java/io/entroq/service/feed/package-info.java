/**
 * Feeds: what happens in the engine, told to callers as fast as they read. {@link
 * io.entroq.service.feed.Feeds} belongs to a server and stands directly before its {@code
 * QueueService}, behind authorization.
 *
 * <p>Effects become messages on the threads {@code entroq-tail-…}, never on one of the engine.
 */
package io.entroq.service.feed;
