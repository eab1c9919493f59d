/**
 * The commands on tasks and queues, with the options and the output of EntroQ's own tool: one class
 * for each.
 *
 * <p>They know the API only, so that any EntroQ will do; which one is asked is a matter of {@link
 * io.entroq.server.cli.queue.options.TargetOptions}. Called on the main thread.
 */
package io.entroq.server.cli.queue;
