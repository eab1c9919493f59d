/**
 * Who is watching the process, what they see while they wait, and how they end it.
 *
 * <p>Used by all commands; each class says on which threads.
 */
package io.entroq.tools.terminal;
