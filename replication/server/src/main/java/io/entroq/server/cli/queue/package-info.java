/**
 * The commands for tasks, queues and docs, with the options and the output of EntroQ's own tool.
 * Called on the main thread. They depend only on the API; {@link
 * io.entroq.server.cli.queue.options.TargetOptions} chooses its implementation.
 */
package io.entroq.server.cli.queue;
