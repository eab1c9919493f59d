/**
 * Reads from an EntroQ server, ours or another implementation, through the v0 or v1 API.
 *
 * <p>Independent of the target. {@link io.entroq.tools.importing.source.SourceServer} blocks and is
 * not thread-safe. Items are passed on unchecked, even if the target would refuse them.
 */
package io.entroq.tools.importing.source;
