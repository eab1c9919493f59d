/**
 * What the commands on tasks and queues have in common on the command line: which queue they are
 * about, how tasks, values and time spans are written.
 *
 * <p>{@link io.entroq.server.cli.queue.options.TargetOptions} alone knows what opens a queue.
 */
package io.entroq.server.cli.queue.options;
