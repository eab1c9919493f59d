/**
 * The terminal: whether there is one, progress bars, safe text, and interruption by a signal.
 *
 * <p>Used by all commands. Each class names its threads.
 */
package io.entroq.tools.terminal;
