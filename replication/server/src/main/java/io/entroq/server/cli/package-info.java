/**
 * The command line of the runnable jar: one class for each command.
 *
 * <p>Called only by the JVM's launcher, on the main thread. Commands read options and print; other
 * packages do the work.
 */
package io.entroq.server.cli;
