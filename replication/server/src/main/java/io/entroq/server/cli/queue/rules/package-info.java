/**
 * The rules of queues and limiters as the command line and files write them. May be called on any
 * thread.
 */
package io.entroq.server.cli.queue.rules;
