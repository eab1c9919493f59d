/**
 * Reads an EntroQ server, ours or another implementation, by the v0 or the v1 API.
 *
 * <p>It knows messages and connections, but not the target. {@link
 * io.entroq.tools.importing.source.SourceServer} is for one thread, which blocks. Items are passed
 * on unchecked, even if another server would reject them.
 */
package io.entroq.tools.importing.source;
