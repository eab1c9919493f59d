/**
 * The command line of the runnable jar, with a class per command. Only the JVM's launcher calls it,
 * on the main thread. Commands read options and print; other packages do the work.
 */
package io.entroq.server.cli;
