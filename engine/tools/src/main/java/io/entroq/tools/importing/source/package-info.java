/**
 * Reads an EntroQ server, by the v0 or the v1 API, whoever wrote it.
 *
 * <p>Knows messages and connections, and nothing of where what it reads goes. {@link
 * io.entroq.tools.importing.source.Source} is for one thread, which waits; whatever a server may
 * have is passed on, also what another one would refuse.
 */
package io.entroq.tools.importing.source;
