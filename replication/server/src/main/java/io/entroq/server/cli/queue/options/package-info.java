/**
 * Options that several commands share: the queue, the connection, and the syntax of tasks and
 * values. Commands use them on the main thread. Only {@link
 * io.entroq.server.cli.queue.options.TargetOptions} opens queues.
 */
package io.entroq.server.cli.queue.options;
