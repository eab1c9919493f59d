/**
 * Options that several commands share: the queue, the connection, and how tasks and values are
 * written. Used by commands, on the main thread.
 *
 * <p>Only {@link io.entroq.server.cli.queue.options.TargetOptions} knows what opens a queue.
 */
package io.entroq.server.cli.queue.options;
