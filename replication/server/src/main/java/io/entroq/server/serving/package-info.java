/**
 * A complete server: an engine or a cluster member, and everything that serves it. Starts the parts
 * in order and stops them in reverse.
 *
 * <p>Used by the commands {@code serve}, {@code node} and {@code health} on the main thread; {@link
 * io.entroq.server.serving.EntroqServer} may be used from any thread.
 */
package io.entroq.server.serving;
