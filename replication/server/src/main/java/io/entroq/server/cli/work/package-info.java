/**
 * The commands that work on tasks: {@code entroq work}. Called on the main thread, which waits
 * while the threads of {@code io.entroq.workers} work.
 */
package io.entroq.server.cli.work;
