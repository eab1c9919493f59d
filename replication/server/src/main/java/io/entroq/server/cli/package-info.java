/**
 * The command line of the runnable jar: one class for each command.
 *
 * <p>Called by the JVM's launcher only, on its main thread. Commands hold no logic of their own;
 * they read options and call the module that does the work.
 */
package io.entroq.server.cli;
