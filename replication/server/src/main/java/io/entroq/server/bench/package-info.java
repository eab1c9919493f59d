/**
 * The {@code bench} command: opens the queue to measure, shows the progress of a {@linkplain
 * io.entroq.load load run}, and prints its result as text and JSON. Called by the command line on
 * its main thread.
 */
package io.entroq.server.bench;
